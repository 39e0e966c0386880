// SPDX-License-Identifier: GPL-2.0-only
/* slice, parse and escape: what makes sense of bytes from outside. */
#include "unit.h"

#include <errno.h>

#include "util/escape.h"
#include "util/parse.h"

static void numbers_are_whole_strings_of_digits(void **state)
{
	static const struct {
		const char *text;
		int r;
		uint64_t v;
	} rows[] = {
		{ "0", 0, 0 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "0000000000000000000000007", 0, 7 },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "99999999999999999999999999", -ERANGE, 0 },
		{ "", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },
		{ "1 ", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 },
		{ "1e3", -EINVAL, 0 },
		{ "99999999999999999999999999x", -EINVAL, 0 },
		{ "\xd9\xa1", -EINVAL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t v = 77;

		assert_int_equal(parse_u64(slice_of(rows[i].text), 0, UINT64_MAX, &v), rows[i].r);
		assert_int_equal(v, rows[i].r ? 77 : rows[i].v);
	}
}

static void signed_numbers_reach_both_ends(void **state)
{
	int64_t v = 77;
	int32_t small = 77;

	(void)state;
	assert_int_equal(parse_i64(slice_of("-9223372036854775808"), INT64_MIN, INT64_MAX, &v), 0);
	assert_true(v == INT64_MIN);
	assert_int_equal(parse_i64(slice_of("9223372036854775807"), INT64_MIN, INT64_MAX, &v), 0);
	assert_true(v == INT64_MAX);
	assert_int_equal(parse_i64(slice_of("9223372036854775808"), INT64_MIN, INT64_MAX, &v),
			 -ERANGE);
	assert_int_equal(parse_i64(slice_of("-9223372036854775809"), INT64_MIN, INT64_MAX, &v),
			 -ERANGE);
	assert_int_equal(parse_i64(slice_of("-"), INT64_MIN, INT64_MAX, &v), -EINVAL);
	assert_int_equal(parse_i64(slice_of("--1"), INT64_MIN, INT64_MAX, &v), -EINVAL);
	assert_int_equal(parse_i64(slice_of("-0"), INT64_MIN, INT64_MAX, &v), 0);
	assert_true(v == 0);
	assert_int_equal(parse_i32(slice_of("-20"), -20, 19, &small), 0);
	assert_int_equal(small, -20);
	assert_int_equal(parse_i32(slice_of("-21"), -20, 19, &small), -ERANGE);
	assert_int_equal(small, -20);
}

static void the_given_range_holds(void **state)
{
	uint32_t v = 77;

	(void)state;
	assert_int_equal(parse_u32(slice_of("9"), 10, 20, &v), -ERANGE);
	assert_int_equal(parse_u32(slice_of("21"), 10, 20, &v), -ERANGE);
	assert_int_equal(v, 77);
	assert_int_equal(parse_u32(slice_of("20"), 10, 20, &v), 0);
	assert_int_equal(v, 20);
}

static void cutting_takes_a_slice_apart(void **state)
{
	struct slice rest = slice_of("a,,b"), part;

	(void)state;
	assert_true(slice_cut(&rest, ',', &part) && slice_is(part, "a"));
	assert_true(slice_cut(&rest, ',', &part) && slice_is(part, ""));
	assert_true(slice_cut(&rest, ',', &part) && slice_is(part, "b"));
	assert_false(slice_cut(&rest, ',', &part));
}

static void a_line_has_its_line_end(void **state)
{
	struct slice rest = slice_of("a\n\nb"), line;

	(void)state;
	assert_true(slice_line(&rest, &line) && slice_is(line, "a"));
	assert_true(slice_line(&rest, &line) && slice_is(line, ""));
	assert_false(slice_line(&rest, &line));
	assert_true(slice_is(rest, "b"));
	rest = (struct slice){ NULL, 0 };
	assert_false(slice_line(&rest, &line));
}

static void words_are_what_stands_between_white_space(void **state)
{
	struct slice rest = slice_of(" \t one\ntwo  "), word;

	(void)state;
	assert_true(slice_word(&rest, &word) && slice_is(word, "one"));
	assert_true(slice_word(&rest, &word) && slice_is(word, "two"));
	assert_false(slice_word(&rest, &word));
}

static void a_line_splits_at_its_first_separator(void **state)
{
	struct slice key, value;

	(void)state;
	assert_true(slice_split(slice_of(" a b : c : d\n"), ':', &key, &value));
	assert_true(slice_is(key, "a b"));
	assert_true(slice_is(value, "c : d"));
	assert_false(slice_split(slice_of("no separator"), ':', &key, &value));
	assert_false(slice_split((struct slice){ NULL, 0 }, ':', &key, &value));
}

static void slices_sort_by_bytes(void **state)
{
	(void)state;
	assert_true(slice_cmp(slice_of("a"), slice_of("ab")) < 0);
	assert_true(slice_cmp(slice_of("b"), slice_of("ab")) > 0);
	assert_true(slice_cmp(slice_of("\xff"), slice_of("z")) > 0);
	assert_int_equal(slice_cmp(slice_of("a"), slice_of("a")), 0);
	assert_true(slice_starts(slice_of("sched_x"), "sched_"));
	assert_false(slice_starts(slice_of("sch"), "sched_"));
}

static void names_from_outside_become_harmless(void **state)
{
	static const struct {
		const char *what;
		struct slice in;
		const char *out;
	} rows[] = {
		{ "plain", SLICE_LIT("kworker/0:1H-events"), "kworker/0:1H-events" },
		{ "valid UTF-8", SLICE_LIT("µs → 漢"), "µs → 漢" },
		{ "a backslash stays", SLICE_LIT("a\\x2db"), "a\\x2db" },
		{ "line ends", SLICE_LIT("a\nb\r\tc"), "a\\nb\\r\\tc" },
		{ "terminal escape", SLICE_LIT("\033[31mred"), "\\x1b[31mred" },
		{ "NUL", SLICE_LIT("a\0b"), "a\\x00b" },
		{ "DEL", SLICE_LIT("\177"), "\\x7f" },
		{ "C1 control sequence introducer", SLICE_LIT("\xc2\x9b"), "\\xc2\\x9b" },
		{ "right-to-left override", SLICE_LIT("\xe2\x80\xae"), "\\xe2\\x80\\xae" },
		{ "line separator", SLICE_LIT("\xe2\x80\xa8"), "\\xe2\\x80\\xa8" },
		{ "zero-width space", SLICE_LIT("\xe2\x80\x8b"), "\\xe2\\x80\\x8b" },
		{ "tag character", SLICE_LIT("\xf3\xa0\x81\x81"), "\\xf3\\xa0\\x81\\x81" },
		{ "filler", SLICE_LIT("\xe3\x85\xa4"), "\\xe3\\x85\\xa4" },
		{ "stray continuation", SLICE_LIT("\x80z"), "\\x80z" },
		{ "overlong slash", SLICE_LIT("\xc0\xaf"), "\\xc0\\xaf" },
		{ "surrogate", SLICE_LIT("\xed\xa0\x80"), "\\xed\\xa0\\x80" },
		{ "past the last code point", SLICE_LIT("\xf4\x90\x80\x80"),
		  "\\xf4\\x90\\x80\\x80" },
		{ "cut sequence", SLICE_LIT("a\xe2\x82"), "a\\xe2\\x82" },
		{ "byte that never occurs", SLICE_LIT("\xff"), "\\xff" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strbuf out = STRBUF_INIT;

		escape_text(&out, rows[i].in);
		if (strcmp(out.s, rows[i].out) != 0)
			fail_msg("%s: got '%s'", rows[i].what, out.s);
		strbuf_done(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_whole_strings_of_digits),
		cmocka_unit_test(signed_numbers_reach_both_ends),
		cmocka_unit_test(the_given_range_holds),
		cmocka_unit_test(cutting_takes_a_slice_apart),
		cmocka_unit_test(a_line_has_its_line_end),
		cmocka_unit_test(words_are_what_stands_between_white_space),
		cmocka_unit_test(a_line_splits_at_its_first_separator),
		cmocka_unit_test(slices_sort_by_bytes),
		cmocka_unit_test(names_from_outside_become_harmless),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
