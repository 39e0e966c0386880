// SPDX-License-Identifier: GPL-2.0-only
/* Zeros of taskstats are readings only where the kernel accounts: each case by its reasons. */
#include "unit.h"

#include "ctprof/taskstats_fill.h"

static const struct delay_accounting on = { .covered_from = UINT64_MAX }, on_since_boot = {},
				     off = { .others = ABSENCE_DISABLED },
				     none = { .cpu = ABSENCE_UNSUPPORTED,
					      .others = ABSENCE_UNSUPPORTED,
					      .watermarks = ABSENCE_UNSUPPORTED };

static struct thread began(uint64_t ticks, uint64_t blkio)
{
	return (struct thread){ .start_time_clock_ticks = ticks, .blkio_delay_count = { blkio } };
}

static void without_accounting_only_cpu_delays_are_readings(void **state)
{
	struct thread t = began(5, 0);

	(void)state;
	taskstats_judge(&t, 1, &off);
	assert_int_equal(t.absent[READING_TASKSTATS], ABSENCE_NONE);
	assert_int_equal(t.absent[READING_CPU_EXTREMA], ABSENCE_NONE);
	assert_int_equal(t.absent[READING_XACCT], ABSENCE_NONE);
	assert_int_equal(t.absent[READING_DELAYS], ABSENCE_DISABLED);
	assert_int_equal(t.absent[READING_DELAY_EXTREMA], ABSENCE_DISABLED);
	assert_int_equal(t.absent[READING_IRQ_DELAYS], ABSENCE_DISABLED);
}

static void a_kernel_without_it_offers_nothing(void **state)
{
	struct thread t = began(5, 0);

	(void)state;
	taskstats_judge(&t, 1, &none);
	assert_int_equal(t.absent[READING_TASKSTATS], ABSENCE_UNSUPPORTED);
	assert_int_equal(t.absent[READING_DELAYS], ABSENCE_UNSUPPORTED);
	assert_int_equal(t.absent[READING_XACCT], ABSENCE_UNSUPPORTED);
}

static void threads_older_than_the_first_delay_are_not_covered(void **state)
{
	struct thread t[] = { began(10, 0), began(20, 1), began(20, 0), began(30, 0) };

	(void)state;
	taskstats_judge(t, ARRAY_SIZE(t), &on);
	assert_int_equal(t[0].absent[READING_DELAYS], ABSENCE_NOT_COVERED);
	assert_int_equal(t[1].absent[READING_DELAYS], ABSENCE_NONE);
	assert_int_equal(t[2].absent[READING_DELAYS], ABSENCE_NONE);
	assert_int_equal(t[3].absent[READING_DELAYS], ABSENCE_NONE);
	assert_int_equal(t[0].absent[READING_TASKSTATS], ABSENCE_NONE);
}

static void without_any_delay_nothing_proves_cover(void **state)
{
	struct thread t = began(10, 0);

	(void)state;
	taskstats_judge(&t, 1, &on);
	assert_int_equal(t.absent[READING_DELAYS], ABSENCE_NOT_COVERED);
}

static void what_is_known_of_the_host_covers_too(void **state)
{
	struct delay_accounting since = { .covered_from = 15 };
	struct thread t[] = { began(10, 0), began(15, 0) };

	(void)state;
	taskstats_judge(t, ARRAY_SIZE(t), &since);
	assert_int_equal(t[0].absent[READING_DELAYS], ABSENCE_NOT_COVERED);
	assert_int_equal(t[1].absent[READING_DELAYS], ABSENCE_NONE);
}

static void accounting_from_boot_covers_all(void **state)
{
	struct thread t[] = { began(0, 0), began(20, 0) };

	(void)state;
	taskstats_judge(t, ARRAY_SIZE(t), &on_since_boot);
	assert_int_equal(t[0].absent[READING_DELAYS], ABSENCE_NONE);
	assert_int_equal(t[1].absent[READING_WPCOPY_DELAYS], ABSENCE_NONE);
}

static void interrupts_count_when_anybody_has_them_or_the_kernel_says_so(void **state)
{
	struct delay_accounting known = { .irq_accounted = true };
	struct thread quiet = began(5, 0), seen[] = { began(5, 0), began(6, 0) };

	(void)state;
	taskstats_judge(&quiet, 1, &on_since_boot);
	assert_int_equal(quiet.absent[READING_IRQ_DELAYS], ABSENCE_UNSUPPORTED);
	assert_int_equal(quiet.absent[READING_DELAYS], ABSENCE_NONE);
	quiet = began(5, 0);
	taskstats_judge(&quiet, 1, &known);
	assert_int_equal(quiet.absent[READING_IRQ_DELAYS], ABSENCE_NONE);
	seen[1].irq_delay_count.v = 1;
	taskstats_judge(seen, ARRAY_SIZE(seen), &on_since_boot);
	assert_int_equal(seen[0].absent[READING_IRQ_EXTREMA], ABSENCE_NONE);
}

static void an_earlier_reason_stays(void **state)
{
	struct thread t = began(5, 0);

	(void)state;
	thread_lack_taskstats(&t, ABSENCE_PERMISSION);
	taskstats_judge(&t, 1, &off);
	assert_int_equal(t.absent[READING_DELAYS], ABSENCE_PERMISSION);
	assert_int_equal(t.absent[READING_TASKSTATS], ABSENCE_PERMISSION);
	assert_int_equal(t.absent[READING_IRQ_EXTREMA], ABSENCE_PERMISSION);
}

static void each_value_lands_in_its_member(void **state)
{
	struct taskstats_values v = { .hiwater_rss_kb = 3,
				      .hiwater_vm_kb = UINT64_MAX / 1024 + 1,
				      .hiwater_known = true };
	struct thread t = {};

	(void)state;
	for (unsigned i = 0; i < DELAY_COUNT; i++)
		v.delay[i] = (struct delay){ 10 * i + 1, 10 * i + 2, 10 * i + 3,
					     10 * i + 4, true,       i != DELAY_IRQ };
	v.delay[DELAY_WPCOPY].known = false;
	thread_fill_taskstats(&t, &v);
	assert_int_equal(t.cpu_delay_count.v, 1);
	assert_int_equal(t.cpu_delay_min_ns.v, 4);
	assert_int_equal(t.swapin_delay_total_ns.v, 22);
	assert_int_equal(t.irq_delay_max_ns.v, 73);
	assert_int_equal(t.hiwater_rss_bytes.v, 3072);
	assert_int_equal(t.hiwater_vm_bytes.v, UINT64_MAX);
	assert_int_equal(t.absent[READING_TASKSTATS], ABSENCE_NONE);
	assert_int_equal(t.absent[READING_WPCOPY_DELAYS], ABSENCE_UNSUPPORTED);
	assert_int_equal(t.absent[READING_IRQ_DELAYS], ABSENCE_NONE);
	assert_int_equal(t.absent[READING_IRQ_EXTREMA], ABSENCE_UNSUPPORTED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_accounting_only_cpu_delays_are_readings),
		cmocka_unit_test(a_kernel_without_it_offers_nothing),
		cmocka_unit_test(threads_older_than_the_first_delay_are_not_covered),
		cmocka_unit_test(without_any_delay_nothing_proves_cover),
		cmocka_unit_test(what_is_known_of_the_host_covers_too),
		cmocka_unit_test(accounting_from_boot_covers_all),
		cmocka_unit_test(interrupts_count_when_anybody_has_them_or_the_kernel_says_so),
		cmocka_unit_test(an_earlier_reason_stays),
		cmocka_unit_test(each_value_lands_in_its_member),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
