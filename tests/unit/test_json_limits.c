// SPDX-License-Identifier: GPL-2.0-only
#include "json_source.h"

#include <errno.h>

#include "util/cleanup.h"

/* A document of @n repetitions of @middle. */
static void build(struct strbuf *sb, const char *before, const char *middle, size_t n,
		  const char *after)
{
	strbuf_reset(sb);
	strbuf_addstr(sb, before);
	for (size_t i = 0; i < n; i++)
		strbuf_addstr(sb, middle);
	strbuf_addstr(sb, after);
}

static void every_limit_holds_and_not_one_byte_earlier(void **state)
{
	static const struct {
		const char *before, *middle;
		size_t inside; /* this many are allowed, one more is not */
		const char *after;
		struct json_limits limits;
		const char *text;
	} rows[] = {
		{ "",
		  " ",
		  10,
		  "1",
		  { .blank_bytes = 10 },
		  "byte 10 (line 1, column 11): more than 10 bytes of white space in a row" },
		{ "[1,",
		  "\n",
		  10,
		  "2]",
		  { .blank_bytes = 10 },
		  "byte 13 (line 11, column 1): more than 10 bytes of white space in a row" },
		{ "1",
		  "\t",
		  64 << 10,
		  "",
		  {},
		  "byte 65537 (line 1, column 65538): more than 65536 bytes of white space in a "
		  "row" },
		{ "\"",
		  "a",
		  10,
		  "\"",
		  { .string_bytes = 10 },
		  "byte 0 (line 1, column 1): a string of more than 10 bytes" },
		{ "\"",
		  "\\n",
		  10,
		  "\"",
		  { .string_bytes = 10 },
		  "byte 0 (line 1, column 1): a string of more than 10 bytes" },
		{ "\"",
		  "\xc3\xa4",
		  5,
		  "\"",
		  { .string_bytes = 10 },
		  "byte 0 (line 1, column 1): a string of more than 10 bytes" },
		{ "{\"",
		  "a",
		  10,
		  "\":1}",
		  { .string_bytes = 10 },
		  "byte 1 (line 1, column 2): a string of more than 10 bytes" },
		{ "\"",
		  "aaaaaaaa",
		  1 << 17,
		  "\"",
		  {},
		  "byte 0 (line 1, column 1): a string of more than 1048576 bytes" },
		{ "",
		  "1",
		  JSON_NUMBER_MAX,
		  "",
		  {},
		  "byte 0 (line 1, column 1): a number of more than 1024 bytes" },
		{ "[0,",
		  "1",
		  6,
		  "]",
		  { .bytes = 10 },
		  "byte 10 (line 1, column 11): the document has more than 10 bytes" },
		{ "1",
		  " ",
		  9,
		  "",
		  { .bytes = 10 },
		  "byte 10 (line 1, column 11): the document has more than 10 bytes" },
		{ "\"abcdefg",
		  "h",
		  1,
		  "\"",
		  { .bytes = 10 },
		  "byte 10 (line 1, column 11): the document has more than 10 bytes" },
		{ "\"abcdef",
		  "\xc3\xa4",
		  1,
		  "\"",
		  { .bytes = 10 },
		  "byte 10 (line 1, column 11): the document has more than 10 bytes" },
		{ "[false",
		  " ",
		  2,
		  "]",
		  { .bytes = 9 },
		  "byte 9 (line 1, column 10): the document has more than 9 bytes" },
	};
	_cleanup_(strbuf_done) struct strbuf document = STRBUF_INIT;
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int e;

		build(&document, rows[i].before, rows[i].middle, rows[i].inside, rows[i].after);
		e = run_all_ways(strbuf_slice(&document), &rows[i].limits, walk_skip, NULL, &err);
		assert_int_equal(e, 0);
		build(&document, rows[i].before, rows[i].middle, rows[i].inside + 1, rows[i].after);
		e = run_all_ways(strbuf_slice(&document), &rows[i].limits, walk_skip, NULL, &err);
		assert_int_equal(e, -E2BIG);
		assert_string_equal(err.text, rows[i].text);
	}
}

static void nesting_is_limited(void **state)
{
	static const struct {
		const char *open, *close;
	} rows[] = { { "[", "]" }, { "{\"a\":", "}" } };
	static const unsigned limits[] = { 1, 7, 0 };
	_cleanup_(strbuf_done) struct strbuf document = STRBUF_INIT;
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (size_t k = 0; k < ARRAY_SIZE(limits); k++) {
			const struct json_limits limit = { .depth = limits[k] };
			unsigned depth = limits[k] ? limits[k] : JSON_READER_DEPTH;

			for (unsigned more = 0; more < 2; more++) {
				build(&document, "", rows[i].open, depth + more, "1");
				for (unsigned n = 0; n < depth + more; n++)
					strbuf_addstr(&document, rows[i].close);
				assert_int_equal(run_all_ways(strbuf_slice(&document), &limit,
							      walk_skip, NULL, &err),
						 more ? -E2BIG : 0);
			}
		}
	/* A bomb costs no more than its first levels. */
	build(&document, "", "[", 1000000, "");
	assert_int_equal(run_all_ways(strbuf_slice(&document), NULL, walk_skip, NULL, &err),
			 -E2BIG);
	assert_string_equal(err.text,
			    "byte 64 (line 1, column 65): more than 64 objects and arrays "
			    "inside each other");
}

static void a_read_error_counts_only_where_bytes_are_missing(void **state)
{
	struct source source = { SLICE_LIT("[1,2"), 1, -EIO };
	struct json_reader r;
	struct err err;
	uint64_t v;

	(void)state;
	json_reader_init(&r, source_fill, &source, NULL, &err);
	assert_int_equal(json_enter_array(&r), 0);
	assert_int_equal(json_next_element(&r), 1);
	assert_int_equal(json_read_u64(&r, &v), 0);
	assert_int_equal(v, 1);
	assert_int_equal(json_next_element(&r), 1);
	assert_int_equal(json_read_u64(&r, &v), -EIO);
	assert_int_equal(v, 1);
	assert_string_equal(err.text,
			    "byte 4 (line 1, column 5): cannot read on: Input/output error");
	json_reader_done(&r);

	source = (struct source){ SLICE_LIT("12 "), 1, -EIO };
	json_reader_init(&r, source_fill, &source, NULL, &err);
	assert_int_equal(json_read_u64(&r, &v), 0);
	assert_int_equal(v, 12);
	assert_int_equal(json_reader_end(&r), -EIO);
	json_reader_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_limit_holds_and_not_one_byte_earlier),
		cmocka_unit_test(nesting_is_limited),
		cmocka_unit_test(a_read_error_counts_only_where_bytes_are_missing),
	};

	return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
