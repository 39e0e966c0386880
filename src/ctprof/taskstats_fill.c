// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/taskstats_fill.h"

#include "ctprof/thread_fill.h"

/* Readings that stand on accounting of delays; CPU delays come from the scheduler. */
static const enum reading delay_readings[] = { READING_DELAYS,        READING_COMPACT_DELAYS,
					       READING_WPCOPY_DELAYS, READING_DELAY_EXTREMA,
					       READING_IRQ_DELAYS,    READING_IRQ_EXTREMA };

static uint64_t kb_to_bytes(uint64_t kb)
{
	return kb > UINT64_MAX / 1024 ? UINT64_MAX : kb * 1024;
}

static void mark_unless(struct thread *t, enum reading reading, bool known)
{
	thread_set_absent(t, reading, known ? ABSENCE_NONE : ABSENCE_UNSUPPORTED);
}

void thread_fill_taskstats(struct thread *t, const struct taskstats_values *values)
{
	const struct delay *d = values->delay;

#define DELAY(id, name)                                                                            \
	t->name##_delay_count.v = d[DELAY_##id].count;                                             \
	t->name##_delay_total_ns.v = d[DELAY_##id].total_ns;                                       \
	t->name##_delay_max_ns.v = d[DELAY_##id].max_ns;                                           \
	t->name##_delay_min_ns.v = d[DELAY_##id].min_ns;
#include "sys/delays.def"
#undef DELAY
	t->hiwater_rss_bytes.v = kb_to_bytes(values->hiwater_rss_kb);
	t->hiwater_vm_bytes.v = kb_to_bytes(values->hiwater_vm_kb);
	mark_unless(t, READING_TASKSTATS, d[DELAY_CPU].known);
	mark_unless(t, READING_CPU_EXTREMA, d[DELAY_CPU].extrema_known);
	mark_unless(t, READING_DELAYS, d[DELAY_THRASHING].known);
	mark_unless(t, READING_COMPACT_DELAYS, d[DELAY_COMPACT].known);
	mark_unless(t, READING_WPCOPY_DELAYS, d[DELAY_WPCOPY].known);
	mark_unless(t, READING_DELAY_EXTREMA, d[DELAY_BLKIO].extrema_known);
	mark_unless(t, READING_IRQ_DELAYS, d[DELAY_IRQ].known);
	mark_unless(t, READING_IRQ_EXTREMA, d[DELAY_IRQ].extrema_known);
	mark_unless(t, READING_XACCT, values->hiwater_known);
}

void thread_lack_taskstats(struct thread *t, enum absence why)
{
	thread_set_absent(t, READING_TASKSTATS, why);
	thread_set_absent(t, READING_CPU_EXTREMA, why);
	thread_set_absent(t, READING_XACCT, why);
	for (size_t i = 0; i < ARRAY_SIZE(delay_readings); i++)
		thread_set_absent(t, delay_readings[i], why);
}

/* Keeps an earlier reason. */
static void add_reason(struct thread *t, enum reading reading, enum absence why)
{
	if (!t->absent[reading])
		thread_set_absent(t, reading, why);
}

bool taskstats_has_delay(const struct taskstats_values *values)
{
	for (enum delay_kind kind = 0; kind < DELAY_COUNT; kind++)
		if (kind != DELAY_CPU && values->delay[kind].count)
			return true;
	return false;
}

static bool has_delay(const struct thread *t)
{
	return t->blkio_delay_count.v || t->swapin_delay_count.v || t->freepages_delay_count.v ||
	       t->thrashing_delay_count.v || t->compact_delay_count.v || t->wpcopy_delay_count.v ||
	       t->irq_delay_count.v;
}

/* The start of the oldest thread that has a delay: accounting was on by then. */
static uint64_t covered_from(const struct thread *threads, size_t n, uint64_t from)
{
	for (size_t i = 0; i < n; i++)
		if (has_delay(&threads[i]) && threads[i].start_time_clock_ticks < from)
			from = threads[i].start_time_clock_ticks;
	return from;
}

static bool any_irq(const struct thread *threads, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (threads[i].irq_delay_count.v)
			return true;
	return false;
}

void taskstats_judge(struct thread *threads, size_t n, const struct delay_accounting *how)
{
	uint64_t from = covered_from(threads, n, how->covered_from);
	bool irq = how->irq_accounted || any_irq(threads, n);

	for (size_t i = 0; i < n; i++) {
		struct thread *t = &threads[i];
		enum absence why = how->others;

		if (!why && t->start_time_clock_ticks < from)
			why = ABSENCE_NOT_COVERED;
		for (size_t k = 0; k < ARRAY_SIZE(delay_readings); k++)
			add_reason(t, delay_readings[k], why);
		if (!irq) {
			add_reason(t, READING_IRQ_DELAYS, ABSENCE_UNSUPPORTED);
			add_reason(t, READING_IRQ_EXTREMA, ABSENCE_UNSUPPORTED);
		}
		add_reason(t, READING_TASKSTATS, how->cpu);
		add_reason(t, READING_CPU_EXTREMA, how->cpu);
		add_reason(t, READING_XACCT, how->watermarks);
	}
}
