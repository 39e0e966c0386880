// SPDX-License-Identifier: GPL-2.0-only
#include "doctor/text.h"

#include <stdlib.h>

#include "unit.h"
#include "util/cleanup.h"

/* A report in which nothing stands but what the tests look for. */
static int set_up(void **state)
{
	static struct doctor_report report;

	for (enum doctor_probe_id id = 0; id < PROBE_COUNT; id++)
		report.findings[id] = (struct finding)FINDING_INIT;
	finding_unusable(&report.findings[PROBE_kconfig],
			 "a reason of words that fill more than one line of any width");
	strv_add(&report.findings[PROBE_kconfig].fix, "first command");
	strv_add(&report.findings[PROBE_kconfig].fix, "second command");
	strv_add(&report.findings[PROBE_stat].fix, "first command");
	strv_add(&report.findings[PROBE_status].fix, "first command");
	strv_add(&report.findings[PROBE_status].fix, "second command");
	*state = &report;
	return 0;
}

static int tear_down(void **state)
{
	doctor_report_done(*state);
	return 0;
}

static char *write_text(const struct doctor_report *report, unsigned width)
{
	const struct table_options options = { .width = width };
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	assert_int_equal(doctor_text(report, &options, out), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void the_reason_stands_where_there_is_room(void **state)
{
	static const char beside[] =
		"Kernel\n"
		"  no       configuration         a reason of words that fill\n"
		"                                 more than one line of any\n"
		"                                 width (for exact reasons for\n"
		"                                 what is missing below)\n"
		"           $ first command\n";
	static const char below[] = "Kernel\n"
				    "  no       configuration\n"
				    "           a reason of words that fill\n"
				    "           more than one line of any\n"
				    "           width (for exact reasons for\n"
				    "           what is missing below)\n"
				    "           $ first command\n";
	static const struct {
		const char *label;
		unsigned width;
		const char *start;
	} rows[] = {
		{ "just enough beside the name", 63, beside },
		{ "one column too little", 62, "Kernel\n  no       configuration\n" },
		{ "far too little", 40, below },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *text = write_text(*state, rows[i].width);

		print_message("# %s\n", rows[i].label);
		assert_int_equal(strncmp(text, rows[i].start, strlen(rows[i].start)), 0);
	}
}

static void a_fix_is_repeated_only_by_name_and_only_when_whole(void **state)
{
	_cleanup_free_ char *text = write_text(*state, 0);

	assert_non_null(strstr(text, "           $ first command\n           $ second command\n"));
	assert_non_null(strstr(text,
			       "  ok       stat                  \n           $ first command\n"
			       "  ok       status                \n"
			       "           fix: as for configuration\n"));
}

static void data_joins_the_commands_of_a_fix(void **state)
{
	struct view view;

	doctor_view(*state, &view);
	assert_string_equal(view.columns[5].key, "fix");
	assert_true(slice_is(view.cells.v[5].text, "first command && second command"));
	view_done(&view);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_reason_stands_where_there_is_room),
		cmocka_unit_test(a_fix_is_repeated_only_by_name_and_only_when_whole),
		cmocka_unit_test(data_joins_the_commands_of_a_fix),
	};

	return cmocka_run_group_tests_name("doctor_text", tests, set_up, tear_down);
}
