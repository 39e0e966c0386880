// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "child.h"
#include "render/cell.h"
#include "util/compiler.h"

static const struct column columns[] = { { "name" }, { "count" } };

static void a_number_that_is_not_finite_is_an_absent_cell(void **state)
{
	const double bad[] = { NAN, INFINITY, -INFINITY };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_int_equal(cell_derived(LADDER_NS, bad[i]).type, CELL_ABSENT);
		assert_int_equal(cell_ratio(bad[i]).type, CELL_ABSENT);
		assert_int_equal(cell_percent(bad[i]).type, CELL_ABSENT);
		assert_int_equal(cell_delta_real(LADDER_NS, bad[i]).type, CELL_ABSENT);
		assert_int_equal(cell_derived_delta(LADDER_NS, bad[i]).type, CELL_ABSENT);
		assert_int_equal(cell_ratio_delta(bad[i]).type, CELL_ABSENT);
	}
	assert_int_equal(cell_ratio(0).type, CELL_RATIO);
}

static void colour_and_weight_leave_the_value_alone(void **state)
{
	struct cell c = cell_bolded(cell_colored(cell_u64(LADDER_BYTES, 7), COLOR_RED));

	(void)state;
	assert_int_equal(c.type, CELL_U64);
	assert_int_equal(c.u64, 7);
	assert_int_equal(c.ladder, LADDER_BYTES);
	assert_int_equal(c.color, COLOR_RED);
	assert_true(c.bold);
}

static void an_absent_cell_keeps_its_reason(void **state)
{
	(void)state;
	assert_int_equal(cell_absent(ABSENCE_PERMISSION).absence, ABSENCE_PERMISSION);
}

static void a_list_borrows_its_array(void **state)
{
	static const char *const items[] = { "a", "b" };
	struct cell c = cell_list(items, ARRAY_SIZE(items));

	(void)state;
	assert_int_equal(c.type, CELL_LIST);
	assert_ptr_equal(c.list.items, items);
	assert_int_equal(c.list.n, 2);
}

static void rows_are_counted_as_they_come(void **state)
{
	struct view view;

	(void)state;
	view_init(&view, "v", columns, ARRAY_SIZE(columns));
	assert_int_equal(view_n_rows(&view), 0);
	for (unsigned i = 0; i < 100; i++)
		view_row(&view, cell_text("a"), cell_u64(LADDER_NONE, i));
	assert_int_equal(view_n_rows(&view), 100);
	assert_int_equal(view.cells.v[2 * 99 + 1].u64, 99);
	view_done(&view);
	view_done(NULL);
}

static void add_a_short_row(const void *arg)
{
	struct view view;

	(void)arg;
	view_init(&view, "v", columns, ARRAY_SIZE(columns));
	view_row(&view, cell_text("a"));
}

static void a_row_of_the_wrong_length_ends_the_program(void **state)
{
	(void)state;
	assert_int_equal(child_status(add_a_short_row, NULL), CHILD_ABORTED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_that_is_not_finite_is_an_absent_cell),
		cmocka_unit_test(colour_and_weight_leave_the_value_alone),
		cmocka_unit_test(an_absent_cell_keeps_its_reason),
		cmocka_unit_test(a_list_borrows_its_array),
		cmocka_unit_test(rows_are_counted_as_they_come),
		cmocka_unit_test(a_row_of_the_wrong_length_ends_the_program),
	};

	return cmocka_run_group_tests_name("render_cell", tests, NULL, NULL);
}
