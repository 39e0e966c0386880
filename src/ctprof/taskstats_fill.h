/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The answers of taskstats into threads. A kernel answers with zeros for what it does not account,
 * so what of an answer is a reading is judged once all threads have been asked.
 */
#ifndef CTPROF_TASKSTATS_FILL_H
#define CTPROF_TASKSTATS_FILL_H

#include <stdbool.h>
#include <stddef.h>

#include "ctprof/thread.h"
#include "sys/taskstats.h"
#include "util/absence.h"

/* What the kernel's layout does not have is UNSUPPORTED. */
void thread_fill_taskstats(struct thread *t, const struct taskstats_values *values);

/* There was no answer. */
void thread_lack_taskstats(struct thread *t, enum absence why);

/* How delay accounting stands on this host. */
struct delay_accounting {
	enum absence cpu;    /* why delays for a CPU are zeros; ABSENCE_NONE: they are counted */
	enum absence others; /* the same for all others but interrupts */
	enum absence watermarks; /* the same for memory watermarks */
	bool irq_accounted;      /* known to account time in interrupts */
	/* Known to be on for threads that began then or later, in clock ticks after boot: 0 for
	 * every thread there is, UINT64_MAX when nothing is known. */
	uint64_t covered_from;
};

/* Any delay but for a CPU. */
bool taskstats_has_delay(const struct taskstats_values *values);

/* Marks what is no reading. A thread that began before accounting was switched on is not covered:
 * those younger than the oldest thread with any delay are, as is each with a delay of its own. */
void taskstats_judge(struct thread *threads, size_t n, const struct delay_accounting *how);

#endif
