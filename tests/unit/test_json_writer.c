// SPDX-License-Identifier: GPL-2.0-only
#include "child.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/cleanup.h"
#include "json/writer.h"

/* What @write puts, as a terminated string in @out. */
static void written(void (*write)(struct json_writer *), enum json_style style, struct strbuf *out)
{
	struct json_writer w;

	strbuf_reset(out);
	json_writer_init(&w, json_sink_strbuf, out, style);
	write(&w);
	assert_int_equal(json_writer_finish(&w), 0);
}

static void put_sample(struct json_writer *w)
{
	json_begin_object(w);
	json_key(w, "a");
	json_u64(w, 1);
	json_key(w, "b");
	json_begin_array(w);
	json_bool(w, true);
	json_bool(w, false);
	json_null(w);
	json_begin_object(w);
	json_end_object(w);
	json_begin_array(w);
	json_end_array(w);
	json_end_array(w);
	json_key_slice(w, SLICE_LIT("c\0d"));
	json_string(w, "x");
	json_end_object(w);
}

static void both_styles_hold_the_same_document(void **state)
{
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;

	(void)state;
	written(put_sample, JSON_COMPACT, &out);
	assert_string_equal(out.s, "{\"a\":1,\"b\":[true,false,null,{},[]],\"c\\u0000d\":\"x\"}");
	written(put_sample, JSON_INDENTED, &out);
	assert_string_equal(out.s, "{\n  \"a\": 1,\n  \"b\": [\n    true,\n    false,\n    null,\n"
				   "    {},\n    []\n  ],\n  \"c\\u0000d\": \"x\"\n}\n");
}

static void put_cpus(struct json_writer *w)
{
	_cleanup_(cpuset_done) struct cpuset none = CPUSET_INIT, some = CPUSET_INIT;

	assert_int_equal(cpuset_parse(slice_of("0-1,7"), &some), 0);
	json_begin_array(w);
	json_cpus(w, &some);
	json_cpus(w, &none);
	json_begin_array(w);
	json_null(w);
	json_end_array(w);
	json_end_array(w);
}

static void cpus_stay_on_one_line(void **state)
{
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;

	(void)state;
	written(put_cpus, JSON_COMPACT, &out);
	assert_string_equal(out.s, "[[0,1,7],[],[null]]");
	written(put_cpus, JSON_INDENTED, &out);
	assert_string_equal(out.s, "[\n  [0, 1, 7],\n  [],\n  [\n    null\n  ]\n]\n");
}

static void put_deepest(struct json_writer *w)
{
	for (int i = 0; i < JSON_WRITER_DEPTH; i++)
		json_begin_array(w);
	for (int i = 0; i < JSON_WRITER_DEPTH; i++)
		json_end_array(w);
}

static void the_deepest_nesting_is_written(void **state)
{
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;

	(void)state;
	written(put_deepest, JSON_COMPACT, &out);
	assert_int_equal(out.len, 2 * JSON_WRITER_DEPTH);
	written(put_deepest, JSON_INDENTED, &out);
	assert_memory_equal(out.s, "[\n  [\n    [", 11);
}

static void strings_come_out_as_valid_json(void **state)
{
	static const struct {
		struct slice in;
		const char *out;
	} rows[] = {
		{ SLICE_LIT(""), "\"\"" },
		{ SLICE_LIT("plain text, longer than 8"), "\"plain text, longer than 8\"" },
		{ SLICE_LIT("say \"hi\""), "\"say \\\"hi\\\"\"" },
		{ SLICE_LIT("back\\slash and /"), "\"back\\\\slash and /\"" },
		{ SLICE_LIT("\b\t\n\v\f\r"), "\"\\b\\t\\n\\u000b\\f\\r\"" },
		{ SLICE_LIT("\0\x1f\x7f"), "\"\\u0000\\u001f\x7f\"" },
		{ SLICE_LIT("\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xa7"),
		  "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xa7\"" },
		/* Acts on a terminal: CSI in one byte, right-to-left override, line separator. */
		{ SLICE_LIT("\xc2\x9b\xe2\x80\xae\xe2\x80\xa8\xef\xbb\xbf"),
		  "\"\\u009b\\u202e\\u2028\\ufeff\"" },
		{ SLICE_LIT("\xf3\xa0\x81\x81"), "\"\\udb40\\udc41\"" },
		/* Not UTF-8: a stray byte, overlong, a surrogate, past the last code point, cut. */
		{ SLICE_LIT("a\xff"), "\"a\\\\xff\"" },
		{ SLICE_LIT("\xc0\xaf"), "\"\\\\xc0\\\\xaf\"" },
		{ SLICE_LIT("\xed\xa0\x80"), "\"\\\\xed\\\\xa0\\\\x80\"" },
		{ SLICE_LIT("\xf4\x90\x80\x80"), "\"\\\\xf4\\\\x90\\\\x80\\\\x80\"" },
		{ SLICE_LIT("1234567\xe2\x82"), "\"1234567\\\\xe2\\\\x82\"" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
		struct json_writer w;

		json_writer_init(&w, json_sink_strbuf, &out, JSON_COMPACT);
		json_slice(&w, rows[i].in);
		assert_int_equal(json_writer_finish(&w), 0);
		assert_string_equal(out.s, rows[i].out);
	}
}

/* Wherever the special byte stands, and across several buffers of the writer. */
static void long_strings_lose_nothing(void **state)
{
	_cleanup_(strbuf_done) struct strbuf in = STRBUF_INIT;
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
	struct json_writer w;
	size_t at = 1;

	(void)state;
	for (int i = 0; i < 40000; i++)
		strbuf_addstr(&in, i % 37 ? "abcdef" : "\n");
	json_writer_init(&w, json_sink_strbuf, &out, JSON_COMPACT);
	json_slice(&w, strbuf_slice(&in));
	assert_int_equal(json_writer_finish(&w), 0);
	for (int i = 0; i < 40000; i++) {
		const char *piece = i % 37 ? "abcdef" : "\\n";

		assert_memory_equal(out.s + at, piece, strlen(piece));
		at += strlen(piece);
	}
	assert_int_equal(out.len, at + 1);
}

static void check_u64(uint64_t v)
{
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
	char expected[64];
	struct json_writer w;

	snprintf(expected, sizeof(expected), "[%" PRIu64 ",%" PRId64 "]", v, (int64_t)v);
	json_writer_init(&w, json_sink_strbuf, &out, JSON_COMPACT);
	json_begin_array(&w);
	json_u64(&w, v);
	json_i64(&w, (int64_t)v);
	json_end_array(&w);
	assert_int_equal(json_writer_finish(&w), 0);
	assert_string_equal(out.s, expected);
}

static void integers_of_every_width_are_exact(void **state)
{
	uint64_t power = 1;

	(void)state;
	for (int digits = 0; digits < 20; digits++, power *= 10)
		for (uint64_t lead = 1; lead < 10; lead++)
			for (int d = -1; d <= 1; d++) {
				check_u64(power * lead + (uint64_t)d);
				check_u64(-(power * lead + (uint64_t)d));
			}
	for (int bit = 0; bit < 64; bit++)
		check_u64(UINT64_C(1) << bit);
	for (uint64_t v = 0; v < 20000; v++)
		check_u64(v * 4999);
	check_u64(UINT64_MAX);
	check_u64(UINT64_C(1) << 63);
}

static void put_wide(struct json_writer *w)
{
	const __int128 top = (__int128)((~(unsigned __int128)0) >> 1);

	json_begin_array(w);
	json_i128(w, 0);
	json_i128(w, -1);
	json_i128(w, UINT64_MAX);
	json_i128(w, (__int128)UINT64_MAX + 1);
	json_i128(w, -((__int128)UINT64_MAX) * 1000);
	json_i128(w, top);
	json_i128(w, -top - 1);
	json_end_array(w);
}

static void integers_of_128_bits_are_exact(void **state)
{
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;

	(void)state;
	written(put_wide, JSON_COMPACT, &out);
	assert_string_equal(out.s, "[0,-1,18446744073709551615,18446744073709551616,"
				   "-18446744073709551615000,"
				   "170141183460469231731687303715884105727,"
				   "-170141183460469231731687303715884105728]");
}

static void doubles_are_short_and_read_back(void **state)
{
	static const struct {
		double v;
		const char *text;
	} rows[] = {
		{ 0, "0" },
		{ -0.0, "-0" },
		{ 1, "1" },
		{ 0.1, "0.1" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ 1e21, "1e+21" },
		{ 5e-324, "5e-324" },
		{ DBL_MAX, "1.7976931348623157e+308" },
		{ DBL_MIN, "2.2250738585072014e-308" },
		{ INFINITY, "null" },
		{ -INFINITY, "null" },
		{ NAN, "null" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
		struct json_writer w;

		json_writer_init(&w, json_sink_strbuf, &out, JSON_COMPACT);
		json_double(&w, rows[i].v);
		assert_int_equal(json_writer_finish(&w), 0);
		assert_string_equal(out.s, rows[i].text);
		if (isfinite(rows[i].v))
			assert_true(strtod(out.s, NULL) == rows[i].v);
	}
}

static int failing_sink(void *ctx, const char *bytes, size_t n)
{
	(void)bytes;
	(void)n;
	++*(int *)ctx;
	return -ENOSPC;
}

static void a_failing_sink_is_asked_once_and_told_at_the_end(void **state)
{
	struct json_writer w;
	int calls = 0;

	(void)state;
	json_writer_init(&w, failing_sink, &calls, JSON_INDENTED);
	json_begin_array(&w);
	for (int i = 0; i < 100000; i++)
		json_u64(&w, UINT64_MAX);
	/* The array is left open: after a failure the rest need not be written. */
	assert_int_equal(json_writer_finish(&w), -ENOSPC);
	assert_int_equal(calls, 1);
}

static void a_full_file_is_an_error(void **state)
{
	_cleanup_fclose_ FILE *full = fopen("/dev/full", "w");
	struct json_writer w;

	(void)state;
	if (!full)
		skip();
	setvbuf(full, NULL, _IONBF, 0);
	json_writer_init(&w, json_sink_file, full, JSON_COMPACT);
	json_null(&w);
	assert_int_equal(json_writer_finish(&w), -ENOSPC);
}

static void two_values(struct json_writer *w)
{
	json_null(w);
	json_null(w);
}

static void value_without_key(struct json_writer *w)
{
	json_begin_object(w);
	json_null(w);
}

static void key_without_value(struct json_writer *w)
{
	json_begin_object(w);
	json_key(w, "a");
	json_end_object(w);
}

static void two_keys(struct json_writer *w)
{
	json_begin_object(w);
	json_key(w, "a");
	json_key(w, "b");
}

static void key_in_array(struct json_writer *w)
{
	json_begin_array(w);
	json_key(w, "a");
}

static void wrong_end(struct json_writer *w)
{
	json_begin_array(w);
	json_end_object(w);
}

static void end_too_often(struct json_writer *w)
{
	json_begin_array(w);
	json_end_array(w);
	json_end_array(w);
}

static void left_open(struct json_writer *w)
{
	json_begin_array(w);
	(void)!json_writer_finish(w);
}

static void nothing_at_all(struct json_writer *w)
{
	(void)!json_writer_finish(w);
}

static void too_deep(struct json_writer *w)
{
	for (int i = 0; i <= JSON_WRITER_DEPTH; i++)
		json_begin_array(w);
}

static void proper(struct json_writer *w)
{
	json_null(w);
	(void)!json_writer_finish(w);
}

typedef void writer_use(struct json_writer *w);

static void try_use(const void *arg)
{
	writer_use *const *use = arg;
	struct strbuf out = STRBUF_INIT;
	struct json_writer w;

	json_writer_init(&w, json_sink_strbuf, &out, JSON_COMPACT);
	(*use)(&w);
}

static void what_would_not_be_json_aborts(void **state)
{
	static writer_use *const good = proper;
	static writer_use *const misuses[] = {
		two_values, value_without_key, key_without_value, two_keys,       key_in_array,
		wrong_end,  end_too_often,     left_open,         nothing_at_all, too_deep,
	};

	(void)state;
	assert_int_equal(child_status(try_use, &good), 0);
	for (size_t i = 0; i < ARRAY_SIZE(misuses); i++)
		assert_int_equal(child_status(try_use, &misuses[i]), CHILD_ABORTED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_styles_hold_the_same_document),
		cmocka_unit_test(cpus_stay_on_one_line),
		cmocka_unit_test(the_deepest_nesting_is_written),
		cmocka_unit_test(strings_come_out_as_valid_json),
		cmocka_unit_test(long_strings_lose_nothing),
		cmocka_unit_test(integers_of_every_width_are_exact),
		cmocka_unit_test(integers_of_128_bits_are_exact),
		cmocka_unit_test(doubles_are_short_and_read_back),
		cmocka_unit_test(a_failing_sink_is_asked_once_and_told_at_the_end),
		cmocka_unit_test(a_full_file_is_an_error),
		cmocka_unit_test(what_would_not_be_json_aborts),
	};

	return cmocka_run_group_tests_name("writer", tests, NULL, NULL);
}
