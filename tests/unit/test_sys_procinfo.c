// SPDX-License-Identifier: GPL-2.0-only
#include "sys/procinfo.h"

#include <errno.h>

#include "unit.h"
#include "util/compiler.h"

static void numbers_of_meminfo_are_found_by_their_key(void **state)
{
	static const struct {
		const char *label;
		struct slice text;
		int r;
		uint64_t v;
	} cases[] = {
		{ "first line", SLICE_LIT("MemTotal:  123 kB\nMemFree: 1 kB\n"), 1, 123 },
		{ "later line", SLICE_LIT("MemFree: 1 kB\nMemTotal: 7 kB"), 1, 7 },
		{ "without a unit", SLICE_LIT("MemTotal: 9\n"), 1, 9 },
		{ "of a node", SLICE_LIT("Node 12 MemTotal:   5 kB\n"), 1, 5 },
		{ "largest", SLICE_LIT("MemTotal: 18446744073709551615 kB\n"), 1, UINT64_MAX },
		{ "longer key", SLICE_LIT("MemTotals: 1 kB\n"), 0, 0 },
		{ "shorter key", SLICE_LIT("MemTota: 1 kB\n"), 0, 0 },
		{ "node without number", SLICE_LIT("Node MemTotal: 1 kB\n"), 0, 0 },
		{ "no colon", SLICE_LIT("MemTotal 1 kB\n"), 0, 0 },
		{ "empty", SLICE_LIT(""), 0, 0 },
		{ "no value", SLICE_LIT("MemTotal:\n"), -EINVAL, 0 },
		{ "words", SLICE_LIT("MemTotal: lots kB\n"), -EINVAL, 0 },
		{ "negative", SLICE_LIT("MemTotal: -1 kB\n"), -EINVAL, 0 },
		{ "another unit", SLICE_LIT("MemTotal: 1 MB\n"), -EINVAL, 0 },
		{ "more behind the unit", SLICE_LIT("MemTotal: 1 kB x\n"), -EINVAL, 0 },
		{ "too large", SLICE_LIT("MemTotal: 18446744073709551616 kB\n"), -ERANGE, 0 },
		{ "NUL", SLICE_LIT("MemTotal: 1\0 kB\n"), -EINVAL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t v = 0;

		print_message("# %s\n", cases[i].label);
		assert_int_equal(meminfo_u64(cases[i].text, "MemTotal", &v), cases[i].r);
		assert_int_equal(v, cases[i].v);
	}
}

static void text_of_cpuinfo_comes_from_the_first_block(void **state)
{
	static const struct {
		const char *label;
		struct slice text;
		int r;
		const char *v;
	} cases[] = {
		{ "plain", SLICE_LIT("model\t: 1\nmodel name\t: A  B \n\n"), 1, "A  B" },
		{ "colon in the value", SLICE_LIT("model name: A: B\n"), 1, "A: B" },
		{ "last line is cut", SLICE_LIT("model name\t: A"), 1, "A" },
		{ "second block only", SLICE_LIT("a: b\n\nmodel name: A\n"), 0, "" },
		{ "blank with spaces ends a block", SLICE_LIT("a: b\n \t\nmodel name: A\n"), 0,
		  "" },
		{ "not there", SLICE_LIT("CPU part\t: 0xd03\n"), 0, "" },
		{ "empty value", SLICE_LIT("model name\t: \n"), 0, "" },
		{ "empty file", SLICE_LIT(""), 0, "" },
		{ "NUL in the value", SLICE_LIT("model name: a\0b\n"), -EBADMSG, "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct slice v = SLICE_LIT("");

		print_message("# %s\n", cases[i].label);
		assert_int_equal(cpuinfo_text(cases[i].text, "model name", &v), cases[i].r);
		assert_true(slice_is(v, cases[i].v));
	}
}

static void cache_sizes_have_a_unit(void **state)
{
	static const struct {
		const char *text;
		int r;
		uint64_t v;
	} cases[] = {
		{ "32768K", 0, 32768 },
		{ "2M", 0, 2048 },
		{ "1G", 0, 1048576 },
		{ "0K", 0, 0 },
		{ "", -EINVAL, 0 },
		{ "K", -EINVAL, 0 },
		{ "32", -EINVAL, 0 },
		{ "-1K", -EINVAL, 0 },
		{ "1 K", -EINVAL, 0 },
		{ "1k", -EINVAL, 0 },
		{ "18446744073709551615G", -ERANGE, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t v = 0;

		print_message("# '%s'\n", cases[i].text);
		assert_int_equal(cache_size_kb(slice_of(cases[i].text), &v), cases[i].r);
		assert_int_equal(v, cases[i].v);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_meminfo_are_found_by_their_key),
		cmocka_unit_test(text_of_cpuinfo_comes_from_the_first_block),
		cmocka_unit_test(cache_sizes_have_a_unit),
	};

	return cmocka_run_group_tests_name("procinfo", tests, NULL, NULL);
}
