// SPDX-License-Identifier: GPL-2.0-only
#include "sys/proc_cgroup.h"

#include "unit.h"
#include "util/compiler.h"

static void the_path_stands_behind_the_mark_of_version_2(void **state)
{
	static const struct {
		const char *label;
		struct slice text;
		struct slice path; /* of 0 bytes: none */
	} rows[] = {
		{ "pure", SLICE_LIT("0::/user.slice/a\n"), SLICE_LIT("/user.slice/a") },
		{ "the top", SLICE_LIT("0::/\n"), SLICE_LIT("/") },
		{ "hybrid", SLICE_LIT("9:name=systemd:/x\n4:memory:/y\n10::/z\n0::/b\n"),
		  SLICE_LIT("/b") },
		{ "colons", SLICE_LIT("0::/a:b::c\n"), SLICE_LIT("/a:b::c") },
		{ "blanks are part of it", SLICE_LIT("0::/a \t\n"), SLICE_LIT("/a \t") },
		{ "removed", SLICE_LIT("0::/a (deleted)\n"), SLICE_LIT("/a (deleted)") },
		{ "outside of the namespace", SLICE_LIT("0::/../b\n"), SLICE_LIT("/../b") },
		{ "any bytes", SLICE_LIT("0::/a\0\xff\x01\n"), SLICE_LIT("/a\0\xff\x01") },
		{ "the first", SLICE_LIT("0::/a\n0::/b\n"), SLICE_LIT("/a") },
		{ "the first that is not empty", SLICE_LIT("0:: \n0::/b\n"), SLICE_LIT("/b") },
		{ "no line of version 2", SLICE_LIT("1:cpu:/\n2:name=x:/0::/\n"), SLICE_LIT("") },
		{ "a blank before", SLICE_LIT(" 0::/a\n"), SLICE_LIT("") },
		{ "no path", SLICE_LIT("0::\n"), SLICE_LIT("") },
		{ "a controller", SLICE_LIT("0:cpu:/a\n"), SLICE_LIT("") },
		{ "cut", SLICE_LIT("1:cpu:/\n0::/a"), SLICE_LIT("") },
		{ "empty", SLICE_LIT(""), SLICE_LIT("") },
		{ "nothing", { NULL, 0 }, SLICE_LIT("") },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct slice path = SLICE_LIT("unchanged");

		print_message("# %s\n", rows[i].label);
		assert_int_equal(proc_cgroup_path(rows[i].text, &path), rows[i].path.n > 0);
		assert_true(rows[i].path.n ? slice_eq(path, rows[i].path)
					   : slice_is(path, "unchanged"));
	}
}

static void not_every_path_leads_to_a_folder(void **state)
{
	static const struct {
		struct slice path;
		enum cgroup_path_kind kind;
	} rows[] = {
		{ SLICE_LIT("/"), CGROUP_PATH_USABLE },
		{ SLICE_LIT("/a"), CGROUP_PATH_USABLE },
		{ SLICE_LIT("/a.slice/b c/d@1.service"), CGROUP_PATH_USABLE },
		{ SLICE_LIT("/a(deleted)"), CGROUP_PATH_USABLE },
		{ SLICE_LIT("/a (deleted)/b"), CGROUP_PATH_USABLE },
		{ SLICE_LIT("/..."), CGROUP_PATH_USABLE },
		{ SLICE_LIT("/.a/..b/c.."), CGROUP_PATH_USABLE },
		{ SLICE_LIT("/\xff"), CGROUP_PATH_USABLE },
		{ SLICE_LIT("/a (deleted)"), CGROUP_PATH_DELETED },
		{ SLICE_LIT("/ (deleted)"), CGROUP_PATH_DELETED },
		{ SLICE_LIT("/../a (deleted)"), CGROUP_PATH_DELETED },
		{ SLICE_LIT("/.."), CGROUP_PATH_OUTSIDE },
		{ SLICE_LIT("/../a"), CGROUP_PATH_OUTSIDE },
		{ SLICE_LIT("/../../a/b"), CGROUP_PATH_OUTSIDE },
		{ SLICE_LIT(""), CGROUP_PATH_ODD },
		{ SLICE_LIT("a"), CGROUP_PATH_ODD },
		{ SLICE_LIT(".."), CGROUP_PATH_ODD },
		{ SLICE_LIT("../a"), CGROUP_PATH_ODD },
		{ SLICE_LIT("/a/../../etc"), CGROUP_PATH_ODD },
		{ SLICE_LIT("/a/.."), CGROUP_PATH_ODD },
		{ SLICE_LIT("/."), CGROUP_PATH_ODD },
		{ SLICE_LIT("/a/./b"), CGROUP_PATH_ODD },
		{ SLICE_LIT("//"), CGROUP_PATH_ODD },
		{ SLICE_LIT("//a"), CGROUP_PATH_ODD },
		{ SLICE_LIT("/a/"), CGROUP_PATH_ODD },
		{ SLICE_LIT("/a\0b"), CGROUP_PATH_ODD },
		{ { NULL, 0 }, CGROUP_PATH_ODD },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		print_message("# row %zu\n", i);
		assert_int_equal(cgroup_path_kind(rows[i].path), rows[i].kind);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_path_stands_behind_the_mark_of_version_2),
		cmocka_unit_test(not_every_path_leads_to_a_folder),
	};

	return cmocka_run_group_tests_name("proc_cgroup", tests, NULL, NULL);
}
