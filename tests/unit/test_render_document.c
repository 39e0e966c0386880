// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>

#include "render/render.h"
#include "unit.h"

static const struct column left[] = { { "group" }, { "value" } };
static const struct column right[] = { { "event" }, { "group" } };

static int set_up(void **state)
{
	static struct view views[2];

	view_init(&views[0], "primary", left, ARRAY_SIZE(left));
	view_row(&views[0], cell_text("a"), cell_u64(LADDER_NS, 5000000));
	view_init(&views[1], "events", right, ARRAY_SIZE(right));
	views[1].heading = "Events";
	view_row(&views[1], cell_text("oom"), cell_text("b"));
	*state = views;
	return 0;
}

static int tear_down(void **state)
{
	struct view *views = *state;

	view_done(&views[0]);
	view_done(&views[1]);
	return 0;
}

static void assert_document(const struct view *views, size_t n, enum render_format format,
			    const char *expected)
{
	const struct table_options options = {};
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	assert_int_equal(render_document(views, n, format, &options, out), 0);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, expected);
	free(text);
}

static void tables_are_separated_by_a_blank_line(void **state)
{
	assert_document(*state, 2, RENDER_TABLE,
			" group  value\n a      5.000ms\n\n## Events\n event  group\n oom    b\n");
}

static void json_is_one_object_with_a_member_per_view(void **state)
{
	assert_document(*state, 2, RENDER_JSON,
			"{\n"
			"  \"primary\": [\n"
			"    {\n"
			"      \"group\": \"a\",\n"
			"      \"value\": 5000000\n"
			"    }\n"
			"  ],\n"
			"  \"events\": [\n"
			"    {\n"
			"      \"event\": \"oom\",\n"
			"      \"group\": \"b\"\n"
			"    }\n"
			"  ]\n"
			"}\n");
}

static void csv_is_one_table_with_the_columns_of_all(void **state)
{
	assert_document(*state, 2, RENDER_CSV,
			"section,group,value,event\r\nprimary,a,5000000,\r\nevents,b,,oom\r\n");
	assert_document(*state, 1, RENDER_CSV, "section,group,value\r\nprimary,a,5000000\r\n");
}

static void a_document_without_views_is_still_one(void **state)
{
	assert_document(*state, 0, RENDER_TABLE, "");
	assert_document(*state, 0, RENDER_JSON, "{}\n");
	assert_document(*state, 0, RENDER_CSV, "section\r\n");
}

static void a_full_disk_is_reported_in_every_format(void **state)
{
	const struct table_options options = {};
	FILE *out = fopen("/dev/full", "we");

	if (!out)
		skip();
	setvbuf(out, NULL, _IONBF, 0);
	for (unsigned f = 0; f < RENDER_FORMAT_COUNT; f++)
		assert_int_equal(render_document(*state, 2, (enum render_format)f, &options, out),
				 -ENOSPC);
	fclose(out);
}

static void names_stand_at_their_values(void **state)
{
	(void)state;
	assert_string_equal(render_format_names[RENDER_TABLE], "table");
	assert_string_equal(render_format_names[RENDER_JSON], "json");
	assert_string_equal(render_format_names[RENDER_CSV], "csv");
	assert_null(render_format_names[RENDER_FORMAT_COUNT]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_are_separated_by_a_blank_line),
		cmocka_unit_test(json_is_one_object_with_a_member_per_view),
		cmocka_unit_test(csv_is_one_table_with_the_columns_of_all),
		cmocka_unit_test(a_document_without_views_is_still_one),
		cmocka_unit_test(a_full_disk_is_reported_in_every_format),
		cmocka_unit_test(names_stand_at_their_values),
	};

	return cmocka_run_group_tests_name("render_document", tests, set_up, tear_down);
}
