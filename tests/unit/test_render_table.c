// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "render/text.h"
#include "unit.h"

/* The table as a string, to be freed. */
static char *table(const struct view *view, struct table_options options)
{
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);

	assert_non_null(out);
	assert_int_equal(render_table(view, &options, out), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void assert_table(const struct view *view, struct table_options options,
			 const char *expected)
{
	char *text = table(view, options);

	assert_string_equal(text, expected);
	free(text);
}

static const struct column three[] = {
	{ "name", .flags = COLUMN_SHRINK },
	{ "value", .flags = COLUMN_RIGHT },
	{ "note", "remark" },
};

static void every_type_of_cell_has_its_look(void **state)
{
	struct cpuset cpus = CPUSET_INIT;
	struct view view;

	(void)state;
	assert_int_equal(cpuset_parse(SLICE_LIT("0-3,8"), &cpus), 0);
	view_init(&view, "all", three, ARRAY_SIZE(three));
	view.heading = "All types";
	view_row(&view, cell_text("blank"), cell_blank(), cell_text("end"));
	view_row(&view, cell_text("absent"), cell_absent(ABSENCE_PERMISSION), cell_blank());
	view_row(&view, cell_text("bool"), cell_bool(true), cell_bool(false));
	view_row(&view, cell_text("u64"), cell_u64(LADDER_NS, 1234567),
		 cell_u64(LADDER_NONE, UINT64_MAX));
	view_row(&view, cell_text("i64"), cell_i64(INT64_MIN), cell_blank());
	view_row(&view, cell_text("delta"), cell_delta(LADDER_US, -1500), cell_blank());
	view_row(&view, cell_text("delta_real"), cell_delta_real(LADDER_NONE, 2.5), cell_blank());
	view_row(&view, cell_text("derived"), cell_derived(LADDER_NS, 123.4),
		 cell_derived_delta(LADDER_NS, 1e3));
	view_row(&view, cell_text("ratio"), cell_ratio(0.75), cell_ratio_delta(0.125));
	view_row(&view, cell_text("percent"), cell_percent(0.6), cell_blank());
	view_row(&view, cell_text("cpus"), cell_cpus(&cpus), cell_blank());
	assert_table(&view, (struct table_options){},
		     "## All types\n"
		     " name                       value  remark\n"
		     " blank                             end\n"
		     " absent                         -\n"
		     " bool                         yes  no\n"
		     " u64                      1.235ms  18446744073709551615\n"
		     " i64         -9223372036854775808\n"
		     " delta                   -1.500ms\n"
		     " delta_real                +2.500\n"
		     " derived                 123.40ns  +1.000µs\n"
		     " ratio                      0.750  +0.125\n"
		     " percent                   +60.0%\n"
		     " cpus                       0-3,8\n");
	view_done(&view);
	cpuset_done(&cpus);
}

static void a_view_without_rows_prints_its_header(void **state)
{
	struct view view;

	(void)state;
	view_init(&view, "empty", three, ARRAY_SIZE(three));
	assert_table(&view, (struct table_options){}, " name  value  remark\n");
	view.heading = "Nothing";
	assert_table(&view, (struct table_options){ .width = 20 },
		     "## Nothing\n name  value  remark\n");
	view_done(&view);
}

static void rows_of_blanks_are_empty_lines_and_are_kept(void **state)
{
	static const struct column one[] = { { "name" } };
	struct view view;

	(void)state;
	view_init(&view, "blanks", one, 1);
	view_row(&view, cell_blank());
	view_row(&view, cell_text("a"));
	view_row(&view, cell_blank());
	assert_table(&view, (struct table_options){}, " name\n\n a\n\n");
	view_done(&view);
}

static void data_columns_are_not_shown_and_table_columns_are(void **state)
{
	static const struct column columns[] = {
		{ "baseline", .flags = COLUMN_DATA },
		{ "arrow", "value", COLUMN_TABLE },
		{ "candidate", .flags = COLUMN_DATA },
	};
	struct view view;

	(void)state;
	view_init(&view, "arrow", columns, ARRAY_SIZE(columns));
	view_row(&view, cell_u64(LADDER_NONE, 1), cell_text("1 → 2"), cell_u64(LADDER_NONE, 2));
	assert_table(&view, (struct table_options){}, " value\n 1 → 2\n");
	view_done(&view);
}

static void wide_and_combining_characters_keep_columns_aligned(void **state)
{
	struct view view;

	(void)state;
	view_init(&view, "wide", three, ARRAY_SIZE(three));
	view_row(&view, cell_text("中文"), cell_text("µ"), cell_text("|"));
	view_row(&view, cell_text("e\xcc\x81"), cell_text("é"), cell_text("|"));
	view_row(&view, cell_text("system-a\\x2db"), cell_text("→"), cell_text("|"));
	assert_table(&view, (struct table_options){},
		     " name           value  remark\n"
		     " 中文               µ  |\n"
		     " e\xcc\x81                  é  |\n"
		     " system-a\\x2db      →  |\n");
	view_done(&view);
}

static void the_callers_locale_does_not_matter_and_is_left_alone(void **state)
{
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	struct view view;

	(void)state;
	view_init(&view, "locale", three, ARRAY_SIZE(three));
	view_row(&view, cell_text("中"), cell_u64(LADDER_NS, 1500), cell_text("→"));
	uselocale(c);
	assert_table(&view, (struct table_options){},
		     " name    value  remark\n 中    1.500µs  →\n");
	assert_ptr_equal(uselocale(LC_GLOBAL_LOCALE), c);
	freelocale(c);
	view_done(&view);
}

static const char long_name[] = "/system.slice/a-very-long-name-of-a-service.service";

static void fill_long(struct view *view)
{
	view_init(view, "long", three, ARRAY_SIZE(three));
	view_row(view, cell_text(long_name), cell_u64(LADDER_NS, 999999999),
		 cell_text("run it as root"));
	view_row(view, cell_text("short"), cell_u64(LADDER_NS, 1), cell_text("run it"));
}

static void a_table_too_wide_is_cut_with_a_mark_shrinking_columns_first(void **state)
{
	struct view view;

	(void)state;
	fill_long(&view);
	assert_table(&view, (struct table_options){ .width = 60 },
		     " name                                  value  remark\n"
		     " /system.slice/a-very-long-name…  1000.000ms  run it as root\n"
		     " short                                   1ns  run it\n");
	assert_table(&view, (struct table_options){ .width = 36 },
		     " name             value  remark\n"
		     " /system.s…  1000.000ms  run it as …\n"
		     " short              1ns  run it\n");
	view_done(&view);
}

static void nothing_is_cut_without_a_width(void **state)
{
	char *name = malloc(100001), *text;
	struct view view;

	(void)state;
	assert_non_null(name);
	memset(name, 'x', 100000);
	name[100000] = '\0';
	view_init(&view, "huge", three, ARRAY_SIZE(three));
	view_row(&view, cell_text(name), cell_u64(LADDER_NONE, 1), cell_text("end"));
	text = table(&view, (struct table_options){});
	assert_non_null(strstr(text, name));
	free(text);
	text = table(&view, (struct table_options){ .width = 80 });
	assert_null(strstr(text, name));
	free(text);
	view_done(&view);
	free(name);
}

static void a_wrapped_cell_goes_on_below(void **state)
{
	struct view view;

	(void)state;
	fill_long(&view);
	assert_table(&view, (struct table_options){ .width = 38, .wrap = true },
		     " name             value  remark\n"
		     " /system.sl  1000.000ms  run it as\n"
		     " ice/a-very              root\n"
		     " -long-name\n"
		     " -of-a-serv\n"
		     " ice.servic\n"
		     " e\n"
		     " short              1ns  run it\n");
	assert_table(
		&view, (struct table_options){ .width = 300, .wrap = true },
		" name                                                      value  remark\n"
		" /system.slice/a-very-long-name-of-a-service.service  1000.000ms  run it as root\n"
		" short                                                       1ns  run it\n");
	view_done(&view);
}

static void a_list_is_one_text(void **state)
{
	static const char *const items[] = { "first", "sec\nond", "a_long_third_one" };
	static const struct column one[] = { { "list" } };
	struct view view;

	(void)state;
	view_init(&view, "list", one, 1);
	view_row(&view, cell_list(items, ARRAY_SIZE(items)));
	view_row(&view, cell_list(items, 1));
	view_row(&view, cell_list(NULL, 0));
	assert_table(&view, (struct table_options){},
		     " list\n first, sec\\nond, a_long_third_one\n first\n\n");
	assert_table(&view, (struct table_options){ .width = 18, .wrap = true },
		     " list\n first, sec\\nond,\n a_long_third_one\n first\n\n");
	assert_table(&view, (struct table_options){ .width = 18 },
		     " list\n first, sec\\nond,…\n first\n\n");
	view_done(&view);
}

static void no_word_is_broken_while_there_is_room_for_all(void **state)
{
	static const struct column two[] = {
		{ "a", .flags = COLUMN_SHRINK },
		{ "b", .flags = COLUMN_SHRINK },
	};
	struct view view;

	(void)state;
	view_init(&view, "words", two, ARRAY_SIZE(two));
	view_row(&view, cell_text("[TASK_IO_ACCOUNTING] [TASKSTATS]"),
		 cell_text("some words that are all short enough"));
	assert_table(&view, (struct table_options){ .width = 33, .wrap = true },
		     " a                     b\n"
		     " [TASK_IO_ACCOUNTING]  some words\n"
		     " [TASKSTATS]           that are\n"
		     "                       all short\n"
		     "                       enough\n");
	assert_table(&view, (struct table_options){ .width = 31, .wrap = true },
		     " a             b\n"
		     " [TASK_IO_     some words\n"
		     " ACCOUNTING]   that are all\n"
		     " [TASKSTATS]   short enough\n");
	view_done(&view);
}

/* Lines no wider than the terminal, or than the least the columns need: 10, 10, 10 and gaps. */
static void lines_fit_every_width(void **state)
{
	struct text_locale locale;

	(void)state;
	for (unsigned width = 20; width <= 300; width++) {
		for (int wrap = 0; wrap < 2; wrap++) {
			struct view view;
			struct slice rest, line;
			size_t widest = 0;
			char *text;

			fill_long(&view);
			text = table(&view, (struct table_options){ .width = width, .wrap = wrap });
			assert_non_null(strstr(text, "1000.000ms"));
			text_locale_enter(&locale);
			for (rest = slice_of(text); slice_cut(&rest, '\n', &line);) {
				size_t w = text_width(line);

				widest = w > widest ? w : widest;
				assert_true(line.n && line.s[line.n - 1] != ' ');
			}
			text_locale_leave(&locale);
			assert_true(widest <= (width < 35 ? 35 : width));
			assert_int_equal(!strstr(text, "…"), wrap || width >= 80);
			free(text);
			view_done(&view);
		}
	}
}

static void colour_is_cyan_for_titles_and_the_cells_own_for_data(void **state)
{
	struct view view;

	(void)state;
	view_init(&view, "colour", three, ARRAY_SIZE(three));
	view_row(&view, cell_colored(cell_text("a"), COLOR_GREEN),
		 cell_bolded(cell_colored(cell_percent(-0.9), COLOR_MAGENTA)), cell_text("plain"));
	view_row(&view, cell_bolded(cell_text("b")), cell_colored(cell_blank(), COLOR_RED),
		 cell_colored(cell_blank(), COLOR_GREY));
	assert_table(&view, (struct table_options){ .color = true },
		     " \033[0;36mname\033[0m  \033[0;36m value\033[0m  \033[0;36mremark\033[0m\n"
		     " \033[0;32ma   \033[0m  \033[1;35m-90.0%\033[0m  plain\n"
		     " \033[1;39mb   \033[0m\n");
	assert_table(&view, (struct table_options){},
		     " name   value  remark\n"
		     " a     -90.0%  plain\n"
		     " b\n");
	view_done(&view);
}

static void hostile_names_never_reach_the_terminal(void **state)
{
	static const struct slice names[] = {
		SLICE_LIT("\033]0;title\007"),
		SLICE_LIT("\033[2J\033[31mred"),
		SLICE_LIT("line\nbreak\r\n"),
		SLICE_LIT("nul\0inside"),
		SLICE_LIT("\xc2\x9b"
			  "31m"),
		SLICE_LIT("\x9b\x84\xff\xfe"),
		SLICE_LIT("\xe2\x80\xae"
			  "gpj.exe"),
		SLICE_LIT("\xe2\x80\xa8"),
		SLICE_LIT("<b>&amp;</b>"),
		SLICE_LIT("\"quoted\", 'and' not"),
		SLICE_LIT("%s%n"),
		SLICE_LIT("\t\v\f\b"),
	};
	struct view view;
	char *text;

	(void)state;
	view_init(&view, "hostile", three, ARRAY_SIZE(three));
	view.heading = "from \033[31m outside\n";
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		view_row(&view, cell_slice(names[i]), cell_u64(LADDER_NONE, i),
			 cell_slice(names[i]));
	for (unsigned width = 0; width <= 60; width += 20) {
		size_t lines = 0;

		text = table(&view, (struct table_options){ .width = width });
		for (const char *p = text; *p; p++) {
			lines += *p == '\n';
			assert_true(*p == '\n' || (unsigned char)*p >= ' ');
			assert_true((unsigned char)*p != 0x7f);
		}
		assert_int_equal(lines, ARRAY_SIZE(names) + 2);
		assert_null(strstr(text, "\xc2\x9b"));
		assert_null(strstr(text, "\xe2\x80\xae"));
		free(text);
	}
	view_done(&view);
}

static void a_full_disk_is_reported(void **state)
{
	FILE *out = fopen("/dev/full", "we");
	struct view view;

	(void)state;
	if (!out)
		skip();
	setvbuf(out, NULL, _IONBF, 0);
	view_init(&view, "full", three, ARRAY_SIZE(three));
	assert_int_equal(render_table(&view, &(struct table_options){}, out), -ENOSPC);
	fclose(out);
	view_done(&view);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_of_cell_has_its_look),
		cmocka_unit_test(a_view_without_rows_prints_its_header),
		cmocka_unit_test(rows_of_blanks_are_empty_lines_and_are_kept),
		cmocka_unit_test(data_columns_are_not_shown_and_table_columns_are),
		cmocka_unit_test(wide_and_combining_characters_keep_columns_aligned),
		cmocka_unit_test(the_callers_locale_does_not_matter_and_is_left_alone),
		cmocka_unit_test(a_table_too_wide_is_cut_with_a_mark_shrinking_columns_first),
		cmocka_unit_test(nothing_is_cut_without_a_width),
		cmocka_unit_test(a_wrapped_cell_goes_on_below),
		cmocka_unit_test(a_list_is_one_text),
		cmocka_unit_test(no_word_is_broken_while_there_is_room_for_all),
		cmocka_unit_test(lines_fit_every_width),
		cmocka_unit_test(colour_is_cyan_for_titles_and_the_cells_own_for_data),
		cmocka_unit_test(hostile_names_never_reach_the_terminal),
		cmocka_unit_test(a_full_disk_is_reported),
	};

	return cmocka_run_group_tests_name("render_table", tests, NULL, NULL);
}
