// SPDX-License-Identifier: GPL-2.0-only
#include "json_source.h"

#include <errno.h>
#include <stdio.h>

#include "util/cleanup.h"

static void valid_documents_are_accepted(void **state)
{
	static const char *const rows[] = {
		"null",
		" true ",
		"\tfalse\r\n",
		"0",
		"-0",
		"-1.5e+10",
		"1E-2",
		"123456789012345678901",
		"\"\"",
		"\"a\"",
		"[]",
		"[ ]",
		"{}",
		"{ }",
		"[1,2,3]",
		"[ 1 , [ 2 ] , { } ]",
		"{\"a\":1,\"a\":2}",
		"{ \"a\" : { \"b\" : [ null ] } }",
		"{\"\":0}",
		"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\uD83D\\udc27\"",
		"\"\x7f\"",
		"\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xa7\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf\"",
		"[0.1,0.0,0e0,10,1e400]",
	};
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(run_all_ways(slice_of(rows[i]), NULL, walk_skip, NULL, &err), 0);
		assert_string_equal(err.text, "");
	}
}

static void invalid_documents_are_refused_with_reason_and_place(void **state)
{
	static const struct {
		struct slice document;
		const char *text;
	} rows[] = {
#define ROW(document, text) { SLICE_LIT(document), "byte " text }
		ROW("", "0 (line 1, column 1): expected a value, found the end"),
		ROW(" \n ", "3 (line 2, column 2): expected a value, found the end"),
		ROW("\xef\xbb\xbf{}", "0 (line 1, column 1): expected a value, found byte 0xef"),
		ROW("x", "0 (line 1, column 1): expected a value, found x"),
		ROW("nul", "3 (line 1, column 4): expected null, found the end"),
		ROW("nulL", "0 (line 1, column 1): expected null, found nulL"),
		ROW("True", "0 (line 1, column 1): expected a value, found True"),
		ROW("tru", "3 (line 1, column 4): expected true or false, found the end"),
		ROW("fal,", "0 (line 1, column 1): expected true or false, found fal"),
		ROW("NaN", "0 (line 1, column 1): expected a value, found NaN"),
		ROW("nullx", "4 (line 1, column 5): expected the end, found x"),
		ROW("1 2", "2 (line 1, column 3): expected the end, found 2"),
		ROW("{} \0", "3 (line 1, column 4): expected the end, found byte 0x00"),
		ROW("01", "0 (line 1, column 1): malformed number 01"),
		ROW("-", "0 (line 1, column 1): malformed number -"),
		ROW("-a", "0 (line 1, column 1): malformed number -"),
		ROW("+1", "0 (line 1, column 1): expected a value, found +1"),
		ROW(".5", "0 (line 1, column 1): expected a value, found .5"),
		ROW("1.", "0 (line 1, column 1): malformed number 1."),
		ROW("1.e5", "0 (line 1, column 1): malformed number 1.e5"),
		ROW("1e", "0 (line 1, column 1): malformed number 1e"),
		ROW("1e+", "0 (line 1, column 1): malformed number 1e+"),
		ROW("1-1", "0 (line 1, column 1): malformed number 1-1"),
		ROW("0x10", "1 (line 1, column 2): expected the end, found x10"),
		ROW("[1,]", "3 (line 1, column 4): expected a value, found ']'"),
		ROW("[,1]", "1 (line 1, column 2): expected a value, found ','"),
		ROW("[1 2]", "3 (line 1, column 4): expected ',' or ']', found 2"),
		ROW("[1\n,\n\n x]", "7 (line 4, column 2): expected a value, found x"),
		ROW("[1}", "2 (line 1, column 3): expected ',' or ']', found '}'"),
		ROW("[", "1 (line 1, column 2): expected a value, found the end"),
		ROW("]", "0 (line 1, column 1): expected a value, found ']'"),
		ROW("{\"a\":1,}", "7 (line 1, column 8): expected a key, found '}'"),
		ROW("{,}", "1 (line 1, column 2): expected a key or '}', found ','"),
		ROW("{a:1}", "1 (line 1, column 2): expected a key or '}', found a"),
		ROW("{\"a\"}", "4 (line 1, column 5): expected ':', found '}'"),
		ROW("{\"a\" 1}", "5 (line 1, column 6): expected ':', found 1"),
		ROW("{\"a\":}", "5 (line 1, column 6): expected a value, found '}'"),
		ROW("{\"a\":1 \"b\":2}",
		    "7 (line 1, column 8): expected ',' or '}', found a string"),
		ROW("{\"a\":1", "6 (line 1, column 7): expected ',' or '}', found the end"),
		ROW("/**/1", "0 (line 1, column 1): expected a value, found '/'"),
		ROW("\"a",
		    "2 (line 1, column 3): expected the closing quote of a string, found the end"),
		ROW("\"a\nb\"",
		    "2 (line 1, column 3): control byte 0x0a inside a string must be escaped"),
		ROW("\"\0\"",
		    "1 (line 1, column 2): control byte 0x00 inside a string must be escaped"),
		ROW("\"\\a\"", "2 (line 1, column 3): expected one of \"\\/bfnrtu behind a "
			       "backslash, found a"),
		ROW("\"\\", "2 (line 1, column 3): expected an escape sequence, found the end"),
		ROW("\"\\u00g0\"", "5 (line 1, column 6): expected a hexadecimal digit, found g0"),
		ROW("\"\\u00", "5 (line 1, column 6): expected a hexadecimal digit, found the end"),
		ROW("\"\\ud800\"", "1 (line 1, column 2): \\ud800 is half of a surrogate pair"),
		ROW("\"\\ud800x\"", "1 (line 1, column 2): \\ud800 is half of a surrogate pair"),
		ROW("\"\\udc00\\ud800\"",
		    "1 (line 1, column 2): \\udc00 is half of a surrogate pair"),
		ROW("\"\\ud800\\u0041\"",
		    "1 (line 1, column 2): \\ud800 is half of a surrogate pair"),
		ROW("\"\\ud800\\",
		    "8 (line 1, column 9): expected the second half of a surrogate pair, "
		    "found the end"),
		ROW("\"\xff\"", "1 (line 1, column 2): byte 0xff is not valid UTF-8"),
		ROW("\"ab\xc0\x80\"", "3 (line 1, column 4): byte 0xc0 is not valid UTF-8"),
		ROW("\"\xe2\x82\"", "1 (line 1, column 2): byte 0xe2 is not valid UTF-8"),
		ROW("\"\xed\xa0\x80\"", "1 (line 1, column 2): byte 0xed is not valid UTF-8"),
		ROW("\"\xf4\x90\x80\x80\"", "1 (line 1, column 2): byte 0xf4 is not valid UTF-8"),
#undef ROW
	};
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(run_all_ways(rows[i].document, NULL, walk_skip, NULL, &err),
				 -EBADMSG);
		assert_string_equal(err.text, rows[i].text);
	}
}

static int walk_string(struct json_reader *r, void *ret)
{
	struct slice s;
	struct strbuf *sb = ret;
	int e = json_read_string(r, &s);

	strbuf_reset(sb);
	if (!e)
		strbuf_addslice(sb, s);
	return e;
}

static void strings_are_decoded(void **state)
{
	static const struct {
		const char *document;
		struct slice text;
	} rows[] = {
		{ "\"\"", SLICE_LIT("") },
		{ "\"plain and longer than eight\"", SLICE_LIT("plain and longer than eight") },
		{ "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", SLICE_LIT("\"\\/\b\f\n\r\t") },
		{ "\"a\\u0000b\"", SLICE_LIT("a\0b") },
		{ "\"\\u007f\\u0080\\u07ff\\u0800\\uffff\"",
		  SLICE_LIT("\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf") },
		{ "\"\\ud800\\udc00\\uDBFF\\uDFFF\"",
		  SLICE_LIT("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf") },
		{ "\"\xc3\xa4 \\n \xe2\x82\xac\"", SLICE_LIT("\xc3\xa4 \n \xe2\x82\xac") },
	};
	_cleanup_(strbuf_done) struct strbuf got = STRBUF_INIT;
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(
			run_all_ways(slice_of(rows[i].document), NULL, walk_string, &got, &err), 0);
		assert_int_equal(got.len, rows[i].text.n);
		assert_memory_equal(got.s, rows[i].text.s, got.len);
	}
	assert_int_equal(run_all_ways(slice_of("7"), NULL, walk_string, &got, &err), -EBADMSG);
	assert_string_equal(err.text, "byte 0 (line 1, column 1): expected a string, found 7");
}

/* {"on":BOOL,"off":BOOL,"none":null,"list":[u32...]}, sum of what is found. */
static int walk_typed(struct json_reader *r, void *ret)
{
	struct slice key;
	uint32_t sum = 0, v;
	bool on;
	int more, element;

	if (json_enter_object(r) < 0)
		return r->error;
	while ((more = json_next_key(r, &key)) > 0) {
		if (slice_is(key, "on") || slice_is(key, "off")) {
			if (json_read_bool(r, &on) < 0)
				return r->error;
			sum += on ? 1000 : 100;
		} else if (slice_is(key, "none")) {
			if (json_read_null(r) < 0)
				return r->error;
		} else if (slice_is(key, "list")) {
			if (json_enter_array(r) < 0)
				return r->error;
			while ((element = json_next_element(r)) > 0) {
				if (json_read_u32(r, &v) < 0)
					return r->error;
				sum += v;
			}
			if (element < 0)
				return element;
		} else if (json_skip(r) < 0) {
			return r->error;
		}
	}
	*(uint32_t *)ret = sum;
	return more;
}

static void objects_and_arrays_are_walked(void **state)
{
	static const struct {
		const char *document;
		int e;
		uint32_t sum;
	} rows[] = {
		{ "{\"on\":true,\"off\":false,\"none\":null,\"list\":[1,2,3]}", 0, 1106 },
		{ " { \"l\\u0069st\" : [ 1 , 2 ] , \"other\" : { \"x\" : [ [ ] ] } } ", 0, 3 },
		{ "{\"list\"\n:\n[]}", 0, 0 },
		{ "{\"on\":1}", -EBADMSG, 0 },
		{ "{\"none\":0}", -EBADMSG, 0 },
		{ "{\"list\":{}}", -EBADMSG, 0 },
		{ "{\"list\":[1,]}", -EBADMSG, 0 },
		{ "{\"list\":[-1]}", -ERANGE, 0 },
		{ "[]", -EBADMSG, 0 },
	};
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint32_t sum = 77;

		assert_int_equal(run_all_ways(slice_of(rows[i].document), NULL, walk_typed, &sum,
					      &err),
				 rows[i].e);
		assert_int_equal(sum, rows[i].e ? 77 : rows[i].sum);
	}
}

static void the_kind_of_the_next_value_is_known(void **state)
{
	static const struct {
		const char *document;
		int kind;
	} rows[] = {
		{ "{", JSON_OBJECT }, { " [", JSON_ARRAY }, { "\"", JSON_STRING },
		{ "-", JSON_NUMBER }, { "9", JSON_NUMBER }, { "t", JSON_BOOL },
		{ "f", JSON_BOOL },   { "n", JSON_NULL },   { "}", -EBADMSG },
		{ "", -EBADMSG },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct json_reader r;

		json_reader_init_slice(&r, slice_of(rows[i].document), NULL, NULL);
		assert_int_equal(json_peek(&r), rows[i].kind);
		json_reader_done(&r);
	}
}

static void the_first_failure_stays(void **state)
{
	struct json_reader r;
	struct slice text;
	struct err err;
	double d;

	(void)state;
	json_reader_init_slice(&r, slice_of("{\"a\":300}"), NULL, &err);
	assert_int_equal(json_enter_object(&r), 0);
	assert_int_equal(json_next_key(&r, &text), 1);
	assert_int_equal(json_fail(&r, -EDOM, "%d is not a colour", 300), -EDOM);
	assert_string_equal(err.text, "byte 5 (line 1, column 6): 300 is not a colour");
	assert_int_equal(json_fail(&r, -EBADMSG, "later"), -EDOM);
	assert_int_equal(json_peek(&r), -EDOM);
	assert_int_equal(json_skip(&r), -EDOM);
	assert_int_equal(json_read_double(&r, &d), -EDOM);
	assert_int_equal(json_read_string(&r, &text), -EDOM);
	assert_int_equal(json_read_null(&r), -EDOM);
	assert_int_equal(json_enter_array(&r), -EDOM);
	assert_int_equal(json_next_element(&r), -EDOM);
	assert_int_equal(json_next_key(&r, &text), -EDOM);
	assert_int_equal(json_reader_end(&r), -EDOM);
	assert_string_equal(err.text, "byte 5 (line 1, column 6): 300 is not a colour");
	json_reader_done(&r);
}

/* Keys and strings across the edges of the 64 KiB window, wherever they fall. */
static void a_large_document_is_read_whole_through_the_window(void **state)
{
	_cleanup_(strbuf_done) struct strbuf document = STRBUF_INIT;
	struct source source = { .piece = SIZE_MAX };
	struct json_reader r;
	struct err err = {};
	struct slice key;
	uint64_t n = 0, v;

	(void)state;
	strbuf_addstr(&document, "{");
	for (int i = 0; i < 40000; i++)
		strbuf_addf(&document, "%s\"key number %d\"%*s:%d", i ? "," : "", i, i % 3, "", i);
	strbuf_addstr(&document, "}");
	source.left = strbuf_slice(&document);
	json_reader_init(&r, source_fill, &source, NULL, &err);
	assert_int_equal(json_enter_object(&r), 0);
	while (json_next_key(&r, &key) > 0) {
		char expected[64];

		snprintf(expected, sizeof(expected), "key number %d", (int)n);
		assert_true(slice_is(key, expected));
		assert_int_equal(json_read_u64(&r, &v), 0);
		assert_int_equal(v, n++);
	}
	assert_int_equal(json_reader_end(&r), 0);
	assert_int_equal(n, 40000);
	json_reader_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(valid_documents_are_accepted),
		cmocka_unit_test(invalid_documents_are_refused_with_reason_and_place),
		cmocka_unit_test(strings_are_decoded),
		cmocka_unit_test(objects_and_arrays_are_walked),
		cmocka_unit_test(the_kind_of_the_next_value_is_known),
		cmocka_unit_test(the_first_failure_stays),
		cmocka_unit_test(a_large_document_is_read_whole_through_the_window),
	};

	return cmocka_run_group_tests_name("reader", tests, NULL, NULL);
}
