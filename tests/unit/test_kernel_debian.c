// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/debian.h"

#include "unit.h"
#include "util/cleanup.h"

static void the_newest_image_of_a_version_is_picked(void **state)
{
	static const char names[] = "linux-image-6.1.0-9-cloud-amd64\n"
				    "linux-image-6.1.0-54-cloud-amd64\n"
				    "linux-image-6.1.0-60-cloud-amd64-unsigned\n"
				    "linux-image-6.1.0-61-amd64\n"
				    "linux-image-6.12-cloud-amd64\n"
				    "linux-image-6.12.9+deb12-cloud-amd64\n"
				    "linux-image-6.12.115+deb12-cloud-amd64\n"
				    "linux-image-6.12.115+deb12-cloud-arm64\n"
				    "linux-image-cloud-amd64\n"
				    "W: some warning of apt\n"
				    "linux-image-6.120.1-cloud-amd64";
	static const struct {
		const char *version, *arch, *package;
	} rows[] = {
		{ "6.1", "amd64", "linux-image-6.1.0-54-cloud-amd64" },
		{ "6.12", "amd64", "linux-image-6.12.115+deb12-cloud-amd64" },
		{ "6.12", "arm64", "linux-image-6.12.115+deb12-cloud-arm64" },
		{ "6.12.9", "amd64", "linux-image-6.12.9+deb12-cloud-amd64" },
		{ "6.12.9+deb12-cloud-amd64", "amd64", "linux-image-6.12.9+deb12-cloud-amd64" },
		{ "6.120", "amd64", "linux-image-6.120.1-cloud-amd64" },
		{ "6", "amd64", "linux-image-6.120.1-cloud-amd64" },
		{ "6.1", "arm64", NULL },
		{ "7", "amd64", NULL },
		{ "", "amd64", NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(strbuf_done) struct strbuf package = STRBUF_INIT;

		print_message("# %s %s\n", rows[i].version, rows[i].arch);
		assert_int_equal(debian_pick_image(slice_of(names), rows[i].version, rows[i].arch,
						   &package),
				 rows[i].package != NULL);
		assert_string_equal(package.s, rows[i].package ? rows[i].package : "");
	}
}

static void architectures_have_other_names_at_debian(void **state)
{
	(void)state;
	assert_string_equal(debian_arch("x86_64"), "amd64");
	assert_string_equal(debian_arch("aarch64"), "arm64");
	assert_null(debian_arch("riscv64"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_newest_image_of_a_version_is_picked),
		cmocka_unit_test(architectures_have_other_names_at_debian),
	};

	return cmocka_run_group_tests_name("kernel_debian", tests, NULL, NULL);
}
