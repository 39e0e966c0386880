// SPDX-License-Identifier: GPL-2.0-only
#include "sys/mountinfo.h"
#include "unit.h"
#include "util/compiler.h"

static void fields_stand_before_and_behind_the_optional_ones(void **state)
{
	static const char *const lines[] = {
		"31 23 0:28 /r /p rw,a - cgroup2 src rw,b\n",
		"31 23 0:28 /r /p rw,a shared:1 - cgroup2 src rw,b\n",
		"31 23 0:28 /r /p rw,a shared:1 master:2 unbindable - cgroup2 src rw,b",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct slice rest = slice_of(lines[i]);
		struct mount m;

		assert_true(mountinfo_next(&rest, &m));
		assert_true(slice_is(m.root, "/r"));
		assert_true(slice_is(m.point, "/p"));
		assert_true(slice_is(m.options, "rw,a"));
		assert_true(slice_is(m.fstype, "cgroup2"));
		assert_true(slice_is(m.super_options, "rw,b"));
		assert_false(mountinfo_next(&rest, &m));
	}
}

static void malformed_lines_are_passed_over(void **state)
{
	struct slice rest = SLICE_LIT("\n"
				      "1 2 3\n"
				      "1 2 0:1 / /p rw shared:1 cgroup2 src rw\n"
				      "1 2 0:1 / /p rw - cgroup2\n"
				      "\0\0\0 - - -\n"
				      "1 2 0:1 / /good rw - tmpfs none rw\n");
	struct mount m;

	(void)state;
	assert_true(mountinfo_next(&rest, &m));
	assert_true(slice_is(m.point, "/good"));
	assert_false(mountinfo_next(&rest, &m));
}

static void octal_escapes_become_bytes(void **state)
{
	static const struct {
		const char *escaped, *plain;
	} cases[] = {
		{ "/a\\040b", "/a b" },
		{ "\\011\\012\\134", "\t\n\\" },
		{ "/plain", "/plain" },
		{ "/cut\\04", "/cut\\04" },
		{ "/not\\049", "/not\\049" },
		{ "/\\777", "/\\777" },
		{ "", "" },
		{ "\\", "\\" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf out = STRBUF_INIT;

		mountinfo_unescape(slice_of(cases[i].escaped), &out);
		assert_string_equal(out.s, cases[i].plain);
		strbuf_done(&out);
	}
}

static void options_match_as_whole_words(void **state)
{
	(void)state;
	assert_true(mountinfo_has_option(slice_of("rw,cpu,cpuacct"), "cpu"));
	assert_true(mountinfo_has_option(slice_of("ro"), "ro"));
	assert_false(mountinfo_has_option(slice_of("rw,cpuacct"), "cpu"));
	assert_false(mountinfo_has_option(slice_of(""), "cpu"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_stand_before_and_behind_the_optional_ones),
		cmocka_unit_test(malformed_lines_are_passed_over),
		cmocka_unit_test(octal_escapes_become_bytes),
		cmocka_unit_test(options_match_as_whole_words),
	};

	return cmocka_run_group_tests_name("mountinfo", tests, NULL, NULL);
}
