// SPDX-License-Identifier: GPL-2.0-only
#include "render/fit.h"
#include <string.h>

#include "unit.h"
#include "util/compiler.h"

#define COLUMNS 3

static const struct {
	const char *label;
	struct fit in[COLUMNS];
	size_t room;
	size_t out[COLUMNS];
} cases[] = {
	{ "all fits", { { 5, 2, true }, { 6, 2 }, { 7, 2 } }, 18, { 5, 6, 7 } },
	{ "one too many", { { 5, 2, true }, { 6, 2 }, { 7, 2 } }, 17, { 4, 6, 7 } },
	{ "marked one to its least", { { 9, 2, true }, { 6, 2 }, { 7, 2 } }, 15, { 2, 6, 7 } },
	{ "then the widest", { { 9, 2, true }, { 6, 2 }, { 9, 2 } }, 16, { 2, 6, 8 } },
	{ "then both", { { 9, 2, true }, { 6, 2 }, { 9, 2 } }, 12, { 2, 5, 5 } },
	{ "the odd one goes left", { { 9, 2, true }, { 6, 2 }, { 9, 2 } }, 11, { 2, 5, 4 } },
	{ "leasts stay", { { 9, 2, true }, { 6, 6 }, { 9, 2 } }, 11, { 2, 6, 3 } },
	{ "does not fit at all", { { 9, 4, true }, { 6, 6 }, { 9, 5 } }, 3, { 4, 6, 5 } },
	{ "no room", { { 9, 4, true }, { 6, 6 }, { 9, 5 } }, 0, { 4, 6, 5 } },
	{ "two marked share", { { 20, 2, true }, { 10, 2, true }, { 5, 2 } }, 21, { 8, 8, 5 } },
	{ "narrow ones keep theirs", { { 100, 2 }, { 3, 2 }, { 100, 2 } }, 43, { 20, 3, 20 } },
	{ "words stay", { { 30, 2, true, 9 }, { 20, 2, true }, { 5, 5 } }, 20, { 9, 6, 5 } },
	{ "others to their words", { { 30, 2, true, 9 }, { 20, 2, .word = 4 } }, 15, { 9, 6, 0 } },
	{ "words just fit", { { 30, 2, true, 9 }, { 20, 2, true, 6 } }, 15, { 9, 6, 0 } },
	{ "not all words fit", { { 30, 2, true, 9 }, { 20, 2, true, 6 } }, 14, { 7, 7, 0 } },
	{ "a word below the least", { { 30, 8, true, 3 }, { 20, 2, true } }, 14, { 8, 6, 0 } },
	{ "a column of nothing", { { 0, 0 }, { 30, 2 }, { 0, 0 } }, 10, { 0, 10, 0 } },
	{ "huge", { { (size_t)1 << 40, 10, true }, { 6, 2 }, { 7, 2 } }, 60, { 47, 6, 7 } },
};

static void columns_give_way_in_order_and_not_below_their_least(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fit columns[COLUMNS];

		memcpy(columns, cases[i].in, sizeof(columns));
		fit_columns(columns, COLUMNS, cases[i].room);
		print_message("# %s\n", cases[i].label);
		for (size_t j = 0; j < COLUMNS; j++)
			assert_int_equal(columns[j].width, cases[i].out[j]);
	}
}

static void every_room_is_used_to_the_last_column(void **state)
{
	(void)state;
	for (size_t room = 0; room < 80; room++) {
		struct fit columns[] = { { 31, 5, true }, { 17, 9, false }, { 23, 4, true } };
		size_t expected = room < 18 ? 18 : room > 71 ? 71 : room, sum = 0;

		fit_columns(columns, ARRAY_SIZE(columns), room);
		for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
			sum += columns[i].width;
		assert_int_equal(sum, expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_give_way_in_order_and_not_below_their_least),
		cmocka_unit_test(every_room_is_used_to_the_last_column),
	};

	return cmocka_run_group_tests_name("render_fit", tests, NULL, NULL);
}
