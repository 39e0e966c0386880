// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"

#include <string.h>

#include "util/cleanup.h"
#include "util/suggest.h"

static const char *best(const char *word)
{
	static const char *const names[] = { "show-host", "topo",        "doctor",
					     "help",      "completions", "top" };
	struct suggestion s;

	suggest_init(&s, word);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		suggest_offer(&s, names[i]);
	return s.best ? s.best : "-";
}

static void near_names_are_suggested_and_far_ones_not(void **state)
{
	static const struct {
		const char *what, *word, *want;
	} rows[] = {
		{ "a swap", "tpoo", "topo" },
		{ "a missing letter", "docter", "doctor" },
		{ "a letter too many", "helpp", "help" },
		{ "two mistakes in a long word", "shwo-hots", "show-host" },
		{ "four mistakes", "shzz-zzst", "-" },
		{ "the beginning", "comp", "completions" },
		{ "the nearest of two", "topi", "topo" },
		{ "the first of equals", "to", "topo" },
		{ "nothing alike", "zebra", "-" },
		{ "all of a short word", "x", "-" },
		{ "nothing", "", "-" },
		{ "too long", "completionscompletionscompletionscompletionscompletions", "-" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (strcmp(best(rows[i].word), rows[i].want) != 0)
			fail_msg("%s: '%s' gives '%s'", rows[i].what, rows[i].word,
				 best(rows[i].word));
}

static void long_words_are_cut_between_characters(void **state)
{
	static const struct {
		const char *word, *want;
	} rows[] = {
		{ "plain", "plain" },
		{ "a\nb\033c\xff", "a\\nb\\x1bc\\xff" },
		{ "012345678901234567890123456789012345678901234567",
		  "012345678901234567890123456789012345678901234567" },
		{ "0123456789012345678901234567890123456789012345678",
		  "012345678901234567890123456789012345678901234567..." },
		{ "01234567890123456789012345678901234567890123456\u00e9x",
		  "01234567890123456789012345678901234567890123456\u00e9..." },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

		quote_word(&text, rows[i].word);
		assert_string_equal(text.s, rows[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(near_names_are_suggested_and_far_ones_not),
		cmocka_unit_test(long_words_are_cut_between_characters),
	};

	return cmocka_run_group_tests_name("suggest", tests, NULL, NULL);
}
