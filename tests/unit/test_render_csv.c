// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>

#include "render/render.h"
#include "unit.h"

static void assert_csv(const struct view *view, const char *expected)
{
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);

	assert_non_null(out);
	assert_int_equal(render_csv(view, out), 0);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, expected);
	free(text);
}

static void every_type_of_cell_is_raw_and_in_base_units(void **state)
{
	static const struct column columns[] = { { "type" }, { "v", "title", COLUMN_RIGHT } };
	static const char *const list[] = { "a,b", "c\n" };
	struct cpuset cpus = CPUSET_INIT;
	struct view view;

	(void)state;
	assert_int_equal(cpuset_parse(SLICE_LIT("0-2,8"), &cpus), 0);
	view_init(&view, "all", columns, ARRAY_SIZE(columns));
	view.heading = "not in CSV";
	view_row(&view, cell_text("blank"), cell_blank());
	view_row(&view, cell_text("absent"), cell_absent(ABSENCE_DISABLED));
	view_row(&view, cell_text("bool"), cell_bool(true));
	view_row(&view, cell_text("u64"), cell_u64(LADDER_NS, UINT64_MAX));
	view_row(&view, cell_text("i64"), cell_i64(-5));
	view_row(&view, cell_text("delta"), cell_delta(LADDER_NS, -3 * (__int128)UINT64_MAX));
	view_row(&view, cell_text("delta_real"), cell_delta_real(LADDER_NS, 2.5));
	view_row(&view, cell_text("derived"), cell_derived(LADDER_NS, 1e6));
	view_row(&view, cell_text("percent"), cell_percent(0.6));
	view_row(&view, cell_text("cpus"), cell_cpus(&cpus));
	view_row(&view, cell_text("list"), cell_list(list, ARRAY_SIZE(list)));
	view_row(&view, cell_text("no list"), cell_list(NULL, 0));
	assert_csv(&view, "type,v\r\nblank,\r\nabsent,\r\nbool,true\r\nu64,18446744073709551615\r\n"
			  "i64,-5\r\ndelta,-55340232221128654845\r\ndelta_real,2.5\r\n"
			  "derived,1000000\r\npercent,0.6\r\ncpus,\"0-2,8\"\r\n"
			  "list,\"a,b c\\n\"\r\nno list,\r\n");
	view_done(&view);
	cpuset_done(&cpus);
}

static void text_is_quoted_and_escaped_where_needed(void **state)
{
	static const struct column columns[] = { { "a" }, { "b" } };
	static const struct {
		const char *label;
		struct slice in;
		const char *out;
	} cases[] = {
		{ "plain", { "a b", 3 }, "a b" },
		{ "comma", { "a,b", 3 }, "\"a,b\"" },
		{ "quote", { "a\"b", 3 }, "\"a\"\"b\"" },
		{ "newline", { "a\nb", 3 }, "a\\nb" },
		{ "CRLF", { "\r\n", 2 }, "\\r\\n" },
		{ "escape and comma", { "\033,", 2 }, "\"\\x1b,\"" },
		{ "NUL", { "\0", 1 }, "\\x00" },
		{ "invalid", { "\xff", 1 }, "\\xff" },
		{ "bidi", { "\xe2\x80\xae", 3 }, "\\xe2\\x80\\xae" },
		{ "UTF-8 stays", { "中µ", 5 }, "中µ" },
		{ "a formula stays", { "=1+1", 4 }, "=1+1" },
		{ "empty", { "", 0 }, "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char expected[64];
		struct view view;

		print_message("# %s\n", cases[i].label);
		snprintf(expected, sizeof(expected), "a,b\r\n%s,1\r\n", cases[i].out);
		view_init(&view, "text", columns, ARRAY_SIZE(columns));
		view_row(&view, cell_slice(cases[i].in), cell_u64(LADDER_NONE, 1));
		assert_csv(&view, expected);
		view_done(&view);
	}
}

static void a_row_of_one_empty_cell_is_not_an_empty_line(void **state)
{
	static const struct column columns[] = { { "a" } };
	struct view view;

	(void)state;
	view_init(&view, "one", columns, 1);
	assert_csv(&view, "a\r\n");
	view_row(&view, cell_blank());
	view_row(&view, cell_text(""));
	view_row(&view, cell_text("x"));
	assert_csv(&view, "a\r\n\"\"\r\n\"\"\r\nx\r\n");
	view_done(&view);
}

static void data_columns_are_there_and_table_columns_are_not(void **state)
{
	static const struct column columns[] = {
		{ "arrow", "value", COLUMN_TABLE },
		{ "baseline", "b", COLUMN_DATA },
	};
	struct view view;

	(void)state;
	view_init(&view, "arrow", columns, ARRAY_SIZE(columns));
	view_row(&view, cell_text("1 → 2"), cell_u64(LADDER_NONE, 1));
	assert_csv(&view, "baseline\r\n1\r\n");
	view_done(&view);
}

static void a_full_disk_is_reported(void **state)
{
	static const struct column columns[] = { { "a" } };
	FILE *out = fopen("/dev/full", "we");
	struct view view;

	(void)state;
	if (!out)
		skip();
	setvbuf(out, NULL, _IONBF, 0);
	view_init(&view, "full", columns, 1);
	assert_int_equal(render_csv(&view, out), -ENOSPC);
	fclose(out);
	view_done(&view);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_of_cell_is_raw_and_in_base_units),
		cmocka_unit_test(text_is_quoted_and_escaped_where_needed),
		cmocka_unit_test(a_row_of_one_empty_cell_is_not_an_empty_line),
		cmocka_unit_test(data_columns_are_there_and_table_columns_are_not),
		cmocka_unit_test(a_full_disk_is_reported),
	};

	return cmocka_run_group_tests_name("render_csv", tests, NULL, NULL);
}
