// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"

#include "ctprof/catalog.h"
#include "util/cleanup.h"
#include "util/compiler.h"

static void tags_stand_in_their_order(void **state)
{
	static const struct {
		enum metric_id id;
		const char *tags;
	} rows[] = {
		{ METRIC_thread_count, "" },
		{ METRIC_nr_wakeups_affine, "[cfs-only] [SCHEDSTATS]" },
		{ METRIC_wait_max, "[non-ext] [SCHEDSTATS]" },
		{ METRIC_core_forceidle_sum, "[SCHED_CORE] [SCHEDSTATS]" },
		{ METRIC_fair_slice_ns, "[fair-policy]" },
		{ METRIC_ext_enabled, "[SCHED_CLASS_EXT]" },
		{ METRIC_irq_delay_min_ns, "[TASKSTATS] [TASK_DELAY_ACCT]" },
		{ METRIC_hiwater_vm_bytes, "[TASKSTATS] [TASK_XACCT]" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(strbuf_done) struct strbuf tags = STRBUF_INIT;

		metric_tags(&metrics[rows[i].id], &tags);
		assert_string_equal(tags.s, rows[i].tags);
	}
}

static void formulas_name_their_inputs(void **state)
{
	static const struct {
		enum derived_id id;
		const char *formula;
	} rows[] = {
		{ DERIVED_avg_wait_ns, "wait_sum / wait_count" },
		{ DERIVED_cpu_efficiency, "run_time_ns / (run_time_ns + wait_time_ns)" },
		{ DERIVED_live_heap_estimate, "allocated_bytes - deallocated_bytes" },
		{ DERIVED_total_offcpu_delay_ns,
		  "cpu_delay_total_ns + blkio_delay_total_ns + freepages_delay_total_ns + "
		  "compact_delay_total_ns + wpcopy_delay_total_ns + irq_delay_total_ns + "
		  "max(swapin_delay_total_ns, thrashing_delay_total_ns)" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(strbuf_done) struct strbuf formula = STRBUF_INIT;

		derived_formula(&derived_metrics[rows[i].id], &formula);
		assert_string_equal(formula.s, rows[i].formula);
	}
}

static const struct cell *find_cell(const struct view *view, size_t row, const char *key)
{
	for (size_t i = 0; i < view->n_columns; i++)
		if (slice_is(slice_of(view->columns[i].key), key))
			return &view->cells.v[row * view->n_columns + i];
	fail_msg("no column %s", key);
	return NULL;
}

static void class_gates_and_inputs_are_data(void **state)
{
	struct view views[CATALOG_COUNT];
	const struct view *list = &views[CATALOG_METRICS];
	const struct cell *c;

	(void)state;
	catalog_views(views);
	assert_int_equal(find_cell(list, METRIC_thread_count, "class")->type, CELL_BLANK);
	c = find_cell(list, METRIC_thread_count, "gates");
	assert_true(c->type == CELL_LIST && c->list.n == 0);
	assert_true(slice_is(find_cell(list, METRIC_wait_max, "class")->text, "non-ext"));
	c = find_cell(list, METRIC_core_forceidle_sum, "gates");
	assert_true(c->type == CELL_LIST && c->list.n == 2);
	assert_string_equal(c->list.items[0], "SCHED_CORE");
	assert_string_equal(c->list.items[1], "SCHEDSTATS");
	c = find_cell(&views[CATALOG_DERIVED], DERIVED_avg_wait_ns, "inputs");
	assert_true(c->type == CELL_LIST && c->list.n == 2);
	assert_string_equal(c->list.items[1], "wait_count");
	for (int i = 0; i < CATALOG_COUNT; i++)
		view_done(&views[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tags_stand_in_their_order),
		cmocka_unit_test(formulas_name_their_inputs),
		cmocka_unit_test(class_gates_and_inputs_are_data),
	};

	return cmocka_run_group_tests_name("catalog", tests, NULL, NULL);
}
