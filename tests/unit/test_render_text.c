// SPDX-License-Identifier: GPL-2.0-only
#include "render/text.h"
#include "unit.h"
#include "util/compiler.h"

#define BYTES(lit)                                                                                 \
	{                                                                                          \
		lit, sizeof(lit) - 1                                                               \
	}

static int enter_locale(void **state)
{
	static struct text_locale locale;

	text_locale_enter(&locale);
	*state = &locale;
	return locale.utf8 ? 0 : -1;
}

static int leave_locale(void **state)
{
	text_locale_leave(*state);
	return 0;
}

static void text_is_made_harmless_and_measured(void **state)
{
	static const struct {
		const char *label;
		struct slice in;
		const char *out;
		size_t width;
	} cases[] = {
		{ "empty", BYTES(""), "", 0 },
		{ "plain", BYTES("kworker/0:1"), "kworker/0:1", 11 },
		{ "backslash stays", BYTES("a\\x2db"), "a\\x2db", 6 },
		{ "newline, tab, return", BYTES("a\nb\tc\r"), "a\\nb\\tc\\r", 9 },
		{ "NUL", BYTES("a\0b"), "a\\x00b", 6 },
		{ "terminal escape", BYTES("\033[31m"), "\\x1b[31m", 8 },
		{ "DEL", BYTES("\177"), "\\x7f", 4 },
		{ "C1 control", BYTES("\xc2\x9b"), "\\xc2\\x9b", 8 },
		{ "bidi override", BYTES("a\xe2\x80\xaeg"), "a\\xe2\\x80\\xaeg", 14 },
		{ "lone high byte", BYTES("\xff"), "\\xff", 4 },
		{ "cut sequence", BYTES("\xe4\xb8"), "\\xe4\\xb8", 8 },
		{ "overlong slash", BYTES("\xc0\xaf"), "\\xc0\\xaf", 8 },
		{ "unassigned", BYTES("\xcd\xb8"), "\\xcd\\xb8", 8 },
		{ "micro and arrow", BYTES("1µs → 2µs"), "1µs → 2µs", 9 },
		{ "wide", BYTES("中文"), "中文", 4 },
		{ "combining", BYTES("e\xcc\x81x"), "e\xcc\x81x", 2 },
		{ "controls only", BYTES("\001\002"), "\\x01\\x02", 8 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf out = STRBUF_INIT;

		text_add(&out, cases[i].in);
		print_message("# %s\n", cases[i].label);
		assert_string_equal(out.s, cases[i].out);
		assert_int_equal(text_width(strbuf_slice(&out)), cases[i].width);
		strbuf_done(&out);
	}
}

static void a_cut_text_fits_and_ends_in_a_mark(void **state)
{
	static const struct {
		const char *label;
		const char *in;
		size_t width;
		const char *out;
	} cases[] = {
		{ "fits exactly", "abcd", 4, "abcd" },
		{ "one too long", "abcde", 4, "abc…" },
		{ "only the mark", "abcde", 1, "…" },
		{ "empty", "", 1, "" },
		{ "wide fits", "中文", 4, "中文" },
		{ "wide leaves a gap", "中文字", 4, "中…" },
		{ "wide into one", "中", 1, "…" },
		{ "marks stay with their letter", "e\xcc\x81xyz", 2, "e\xcc\x81…" },
		{ "marks at the end", "abe\xcc\x81", 3, "abe\xcc\x81" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf out = STRBUF_INIT;

		text_cut(&out, slice_of(cases[i].in), cases[i].width);
		print_message("# %s\n", cases[i].label);
		assert_string_equal(out.s, cases[i].out);
		assert_true(text_width(strbuf_slice(&out)) <= cases[i].width);
		strbuf_done(&out);
	}
}

static void wrapped_lines_end_where_words_do(void **state)
{
	static const struct {
		const char *label;
		const char *in;
		size_t width;
		const char *out;
	} cases[] = {
		{ "fits", "abc", 3, "abc" },
		{ "empty", "", 3, "" },
		{ "no place to break", "abcdefgh", 3, "abc\ndef\ngh" },
		{ "at a space", "run this now", 8, "run this\nnow" },
		{ "behind a space", "run this now", 9, "run this \nnow" },
		{ "behind a slash", "/system.slice/a.service", 16, "/system.slice/\na.service" },
		{ "behind a comma", "0-3,8-11,16", 9, "0-3,8-11,\n16" },
		{ "not at an early slash", "/abcdefgh", 6, "/abcde\nfgh" },
		{ "at an early space", "was considered", 11, "was \nconsidered" },
		{ "at a space in the first place", " abcdef", 4, " \nabcd\nef" },
		{ "no word with a slash is broken", "asleep for I/O", 13, "asleep for \nI/O" },
		{ "behind an underscore", "nr_wakeups_affine", 14, "nr_wakeups_\naffine" },
		{ "not at an early underscore", "a_bcdefgh", 6, "a_bcde\nfgh" },
		{ "a slash before an underscore", "abc/d_efgh", 7, "abc/\nd_efgh" },
		{ "space at the end", "abc ", 3, "abc" },
		{ "spaces only", "   ", 1, " \n " },
		{ "wide into one", "中文", 1, "中\n文" },
		{ "marks stay with their letter", "ae\xcc\x81o", 2, "ae\xcc\x81\no" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf out = STRBUF_INIT;

		text_wrap(&out, slice_of(cases[i].in), cases[i].width);
		print_message("# %s\n", cases[i].label);
		assert_string_equal(out.s, cases[i].out);
		strbuf_done(&out);
	}
}

static void the_widest_word_is_measured(void **state)
{
	static const struct {
		const char *label;
		const char *in;
		size_t width;
	} cases[] = {
		{ "empty", "", 0 },
		{ "one word", "abcd", 4 },
		{ "spaces do not count", "ab abc ", 3 },
		{ "spaces only", "   ", 0 },
		{ "commas and slashes do", "a,bcd/ef", 4 },
		{ "underscores do not break", "[TASK_IO] b", 9 },
		{ "wide", "中文 abc", 4 },
		{ "last one", "a bc def", 3 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		print_message("# %s\n", cases[i].label);
		assert_int_equal(text_word_width(slice_of(cases[i].in)), cases[i].width);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_made_harmless_and_measured),
		cmocka_unit_test(a_cut_text_fits_and_ends_in_a_mark),
		cmocka_unit_test(wrapped_lines_end_where_words_do),
		cmocka_unit_test(the_widest_word_is_measured),
	};

	return cmocka_run_group_tests_name("render_text", tests, enter_locale, leave_locale);
}
