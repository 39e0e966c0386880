// SPDX-License-Identifier: GPL-2.0-only

#include "child.h"
#include "render/render.h"

static void assert_json(const struct view *view, const char *expected)
{
	struct strbuf text = STRBUF_INIT;
	struct json_writer w;

	json_writer_init(&w, json_sink_strbuf, &text, JSON_COMPACT);
	render_json_rows(view, &w);
	assert_int_equal(json_writer_finish(&w), 0);
	assert_string_equal(text.s, expected);
	strbuf_done(&text);
}

static void every_type_of_cell_keeps_its_exact_value(void **state)
{
	static const struct column columns[] = { { "v" } };
	static const char *const list[] = { "a,b", "c\n" };
	struct cpuset cpus = CPUSET_INIT, none = CPUSET_INIT;
	__int128 beyond = (__int128)UINT64_MAX * 3;
	struct view view;

	(void)state;
	assert_int_equal(cpuset_parse(SLICE_LIT("0-2,8"), &cpus), 0);
	view_init(&view, "all", columns, 1);
	view_row(&view, cell_blank());
	view_row(&view, cell_absent(ABSENCE_NONE));
	view_row(&view, cell_text("a\"b\\x2d\n"));
	view_row(&view, cell_bool(true));
	view_row(&view, cell_bool(false));
	view_row(&view, cell_u64(LADDER_NS, UINT64_MAX));
	view_row(&view, cell_i64(INT64_MIN));
	view_row(&view, cell_delta(LADDER_BYTES, beyond));
	view_row(&view, cell_delta(LADDER_BYTES, -beyond));
	view_row(&view, cell_derived(LADDER_NS, 0.1));
	view_row(&view, cell_ratio(0.75));
	view_row(&view, cell_percent(0.6));
	view_row(&view, cell_cpus(&cpus));
	view_row(&view, cell_cpus(&none));
	view_row(&view, cell_list(list, ARRAY_SIZE(list)));
	view_row(&view, cell_list(NULL, 0));
	assert_json(
		&view,
		"[{\"v\":null},{\"v\":null},{\"v\":\"a\\\"b\\\\x2d\\n\"},{\"v\":true},"
		"{\"v\":false},{\"v\":18446744073709551615},{\"v\":-9223372036854775808},"
		"{\"v\":55340232221128654845},{\"v\":-55340232221128654845},{\"v\":0.1},"
		"{\"v\":0.75},{\"v\":0.6},{\"v\":[0,1,2,8]},{\"v\":[]},{\"v\":[\"a,b\",\"c\\n\"]},"
		"{\"v\":[]}]");
	view_done(&view);
	cpuset_done(&cpus);
}

static void data_columns_are_there_and_table_columns_are_not(void **state)
{
	static const struct column columns[] = {
		{ "baseline", "b", COLUMN_DATA },
		{ "arrow", "value", COLUMN_TABLE },
		{ "candidate", "c", COLUMN_DATA },
	};
	struct view view;

	(void)state;
	view_init(&view, "arrow", columns, ARRAY_SIZE(columns));
	assert_json(&view, "[]");
	view_row(&view, cell_u64(LADDER_NONE, 1), cell_text("1 → 2"), cell_u64(LADDER_NONE, 2));
	assert_json(&view, "[{\"baseline\":1,\"candidate\":2}]");
	view_done(&view);
}

static void a_row_says_why_its_cells_are_absent(void **state)
{
	static const struct column columns[] = {
		{ "a" },
		{ "b", .flags = COLUMN_DATA },
		{ "c", .flags = COLUMN_TABLE },
	};
	const struct cell one = cell_u64(LADDER_NONE, 1), none = cell_absent(ABSENCE_NONE);
	struct view view;

	(void)state;
	view_init(&view, "absent", columns, ARRAY_SIZE(columns));
	view_row(&view, one, cell_absent(ABSENCE_PERMISSION), one);
	view_row(&view, cell_percent(1 / 0.0), cell_absent(ABSENCE_ENDED), one);
	view_row(&view, one, none, one);
	view_row(&view, cell_absent(ABSENCE_DISABLED), cell_blank(), one);
	view_row(&view, one, one, cell_absent(ABSENCE_DISABLED));
	assert_json(&view, "[{\"a\":1,\"b\":null,\"absent\":{\"b\":\"permission\"}},"
			   "{\"a\":null,\"b\":null,\"absent\":{\"a\":\"error\",\"b\":\"ended\"}},"
			   "{\"a\":1,\"b\":null},"
			   "{\"a\":null,\"b\":null,\"absent\":{\"a\":\"disabled\"}},"
			   "{\"a\":1,\"b\":1}]");
	view_done(&view);
}

static void write_a_column_named_absent(const void *arg)
{
	static const struct column columns[] = { { "absent" } };
	struct view view;

	(void)arg;
	view_init(&view, "v", columns, ARRAY_SIZE(columns));
	assert_json(&view, "[]");
}

static void a_column_named_absent_ends_the_program(void **state)
{
	(void)state;
	assert_int_equal(child_status(write_a_column_named_absent, NULL), CHILD_ABORTED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_of_cell_keeps_its_exact_value),
		cmocka_unit_test(data_columns_are_there_and_table_columns_are_not),
		cmocka_unit_test(a_row_says_why_its_cells_are_absent),
		cmocka_unit_test(a_column_named_absent_ends_the_program),
	};

	return cmocka_run_group_tests_name("render_json", tests, NULL, NULL);
}
