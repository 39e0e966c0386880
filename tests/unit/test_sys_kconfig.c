// SPDX-License-Identifier: GPL-2.0-only
#include "sys/kconfig.h"

#include "tree.h"
#include "unit.h"

/* "CONFIG_FROM_GZ=y\n" through gzip -9. */
static const char gz[] = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x73\xf6\xf7\x73\xf3\x74\x8f\x77"
			 "\x0b\xf2\xf7\x8d\x77\x8f\xb2\xad\xe4\x02\x00\xac\x3b\xb0\xf7\x11\x00\x00"
			 "\x00";

static void every_form_of_a_line_is_understood(void **state)
{
	static const char text[] = "#\n"
				   "# Automatically generated file; DO NOT EDIT.\n"
				   "CONFIG_YES=y\n"
				   "CONFIG_MOD=m\n"
				   "# CONFIG_OFF is not set\n"
				   "CONFIG_EXPLICIT_NO=n\n"
				   "CONFIG_NR_CPUS=64\n"
				   "CONFIG_HEX=0xffff\n"
				   "CONFIG_STRING=\"a = \\\"b\\\"\"\n"
				   "CONFIG_EMPTY=\"\"\n"
				   "CONFIG_TWICE=y\n"
				   "# CONFIG_TWICE is not set\n"
				   "# CONFIG_CONFIG_NESTED=y\n"
				   "CONFIG_=y\n"
				   "# CONFIG_ is not set\n"
				   "NOT_AN_OPTION=y\n"
				   "CONFIG_NO_VALUE\n"
				   "  CONFIG_CRLF=y\r\n"
				   "CONFIG_LAST=y";
	static const struct {
		const char *name;
		enum kconfig_state state;
		const char *value;
	} cases[] = {
		{ "YES", KCONFIG_YES, "y" },
		{ "MOD", KCONFIG_MODULE, "m" },
		{ "OFF", KCONFIG_NO, "" },
		{ "EXPLICIT_NO", KCONFIG_NO, "n" },
		{ "NR_CPUS", KCONFIG_VALUE, "64" },
		{ "HEX", KCONFIG_VALUE, "0xffff" },
		{ "STRING", KCONFIG_VALUE, "a = \\\"b\\\"" },
		{ "EMPTY", KCONFIG_VALUE, "" },
		{ "TWICE", KCONFIG_NO, "" },
		{ "CRLF", KCONFIG_YES, "y" },
		{ "LAST", KCONFIG_YES, "y" },
		{ "NESTED", KCONFIG_UNSET, NULL },
		{ "", KCONFIG_UNSET, NULL },
		{ "NO_VALUE", KCONFIG_UNSET, NULL },
		{ "YE", KCONFIG_UNSET, NULL },
		{ "YESS", KCONFIG_UNSET, NULL },
	};
	struct kconfig config = KCONFIG_INIT;

	(void)state;
	kconfig_parse(&config, slice_of(text));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct kconfig_option *option = kconfig_find(&config, cases[i].name);

		print_message("# %s\n", cases[i].name);
		assert_int_equal(kconfig_state(&config, cases[i].name), cases[i].state);
		assert_int_equal(option != NULL, cases[i].value != NULL);
		if (option)
			assert_true(slice_is(option->value, cases[i].value));
	}
	kconfig_done(&config);
}

static void unknown_is_not_off(void **state)
{
	struct kconfig config = KCONFIG_INIT;

	(void)state;
	assert_int_equal(kconfig_state(&config, "PSI"), KCONFIG_UNKNOWN);
	kconfig_parse(&config, slice_of("nothing in here"));
	assert_int_equal(kconfig_state(&config, "PSI"), KCONFIG_UNKNOWN);
	assert_null(kconfig_find(&config, "PSI"));
	kconfig_done(&config);
}

static void sources_are_tried_in_order(void **state)
{
	static const struct {
		const char *label;
		const char *files[5];
		int outcome;
		const char *source;
	} cases[] = {
		{ "config.gz first", { "proc/config.gz", "boot/config-6.1" }, 1, "proc/config.gz" },
		{ "then boot",
		  { "boot/config-6.1", "lib/modules/6.1/config" },
		  1,
		  "boot/config-6.1" },
		{ "then the module folder",
		  { "lib/modules/6.1/config", "lib/modules/6.1/build/.config" },
		  1,
		  "lib/modules/6.1/config" },
		{ "then the build tree",
		  { "lib/modules/6.1/build/.config" },
		  1,
		  "lib/modules/6.1/build/.config" },
		{ "not that of another release", { "boot/config-6.2" }, 0, "" },
		{ "none", { NULL }, 0, "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct kconfig config = KCONFIG_INIT;
		struct tree tree;

		print_message("# %s\n", cases[i].label);
		tree_init(&tree);
		tree_file(&tree, "proc/sys/kernel/osrelease", "6.1\n");
		for (const char *const *f = cases[i].files; *f; f++)
			tree_bytes(&tree, *f,
				   strstr(*f, ".gz") ? (struct slice){ gz, sizeof(gz) - 1 }
						     : SLICE_LIT("CONFIG_FROM_TEXT=y\n"));
		assert_int_equal(kconfig_read(&tree.root, &config), cases[i].outcome);
		assert_string_equal(config.source.s, cases[i].source);
		assert_int_equal(kconfig_state(&config, "FROM_GZ"),
				 !cases[i].outcome                ? KCONFIG_UNKNOWN
				 : strstr(cases[i].source, ".gz") ? KCONFIG_YES
								  : KCONFIG_UNSET);
		kconfig_done(&config);
		tree_done(&tree);
	}
}

static void a_damaged_source_yields_to_a_good_one(void **state)
{
	struct kconfig config = KCONFIG_INIT;
	struct tree tree;

	(void)state;
	tree_init(&tree);
	tree_bytes(&tree, "proc/config.gz", (struct slice){ gz, sizeof(gz) - 2 });
	assert_int_equal(kconfig_read(&tree.root, &config), -EBADMSG);
	assert_string_equal(config.source.s, "");
	tree_file(&tree, "proc/sys/kernel/osrelease", "6.1\n");
	tree_file(&tree, "boot/config-6.1", "no configuration at all\n");
	assert_int_equal(kconfig_read(&tree.root, &config), -EBADMSG);
	tree_file(&tree, "boot/config-6.1", "CONFIG_PSI=y\n");
	assert_int_equal(kconfig_read(&tree.root, &config), 1);
	assert_string_equal(config.source.s, "boot/config-6.1");
	kconfig_done(&config);
	tree_done(&tree);
}

static void a_release_that_is_a_path_is_not_followed(void **state)
{
	struct kconfig config = KCONFIG_INIT;
	struct tree tree;

	(void)state;
	tree_init(&tree);
	tree_file(&tree, "proc/sys/kernel/osrelease", "/../../secret\n");
	tree_file(&tree, "secret/config", "CONFIG_PSI=y\n");
	assert_int_equal(kconfig_read(&tree.root, &config), 0);
	kconfig_done(&config);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_of_a_line_is_understood),
		cmocka_unit_test(unknown_is_not_off),
		cmocka_unit_test(sources_are_tried_in_order),
		cmocka_unit_test(a_damaged_source_yields_to_a_good_one),
		cmocka_unit_test(a_release_that_is_a_path_is_not_followed),
	};

	return cmocka_run_group_tests_name("kconfig", tests, NULL, NULL);
}
