/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of one file of a thread into its members, and what of it is absent: pure. A reading of
 * which a single value is missing or malformed is absent as a whole, for ABSENCE_ERROR; its other
 * values are kept.
 */
#ifndef CTPROF_THREAD_FILL_H
#define CTPROF_THREAD_FILL_H

#include "ctprof/thread.h"
#include "sys/proc_stat.h"
#include "util/absence.h"
#include "util/arena.h"
#include "util/slice.h"

static inline void thread_set_absent(struct thread *t, enum reading reading, enum absence why)
{
	t->absent[reading] = (uint8_t)why;
}

/* All that is read from a file of its own. */
void thread_init(struct thread *t, uint32_t tgid, uint32_t tid);

void thread_fill_schedstat(struct thread *t, struct slice text);
void thread_fill_io(struct thread *t, struct slice text);

/* @off: why a kernel that prints no schedstats does not. @negative is added to. */
void thread_fill_sched(struct thread *t, struct slice text, enum absence off, unsigned *negative);
/* The file could not be read. */
void thread_lack_sched(struct thread *t, enum absence why);

/* Names go into @arena. True when the thread is one of the kernel's. */
bool thread_fill_stat(struct thread *t, struct slice text, struct arena *arena);
void thread_lack_stat(struct thread *t, enum absence why);

/* What other files did not give: state, number of threads, context switches. What is not here
 * either keeps its reason. */
void thread_fill_status(struct thread *t, struct slice text);

#endif
