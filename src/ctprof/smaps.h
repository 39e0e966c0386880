/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory of processes, read last and by a thread of its own: it is the one file whose cost grows
 * with the process, and it waits for a lock that a process in trouble may hold. Private to the
 * capture.
 */
#ifndef CTPROF_SMAPS_H
#define CTPROF_SMAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ctprof/thread.h"
#include "sys/proc_task.h"
#include "util/arena.h"

struct smaps_pass;

/* Begins to read for @n leaders, whose places among @threads are @leaders. Threads are not touched
 * before smaps_finish(), and @proc stays open until then. */
struct smaps_pass *smaps_start(const struct proc_dir *proc, struct thread *threads,
			       const size_t *leaders, size_t n);

struct smaps_result {
	uint64_t failures; /* processes that could not be read, but for those that ended */
	uint64_t wall_ns, cpu_ns;
};

/* Waits and fills the leaders in; what they point to goes into @arena. When one process holds us up
 * for longer than @patience_ms, it and the rest are absent for ABSENCE_ERROR, and what still runs
 * is left to the end of the program. */
struct smaps_result smaps_finish(struct smaps_pass *pass, unsigned patience_ms,
				 struct arena *arena);

#endif
