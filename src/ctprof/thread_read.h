/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One worker of the procfs engine: reads threads one batch after the other. Private to the capture.
 *
 * A thread's `stat` is read last. Its folder stays open from the first file on and dies with the
 * thread, so a `stat` that can be read proves that everything before it, the system calls by number
 * included, was about this thread and no other. A thread that is gone by then is dropped.
 */
#ifndef CTPROF_THREAD_READ_H
#define CTPROF_THREAD_READ_H

#include "ctprof/affinity.h"
#include "ctprof/walk.h"

/* Larger than any file of a thread; a cgroup path alone may have 4 KiB. */
#define THREAD_FILE_MAX (64u * 1024)

struct thread_reader {
	const struct walk *w;
	struct taskstats_link link;
	int link_code; /* 0, or why there is no link */
	struct arena arena;
	struct affinity_cache affinity;
	struct walk_totals totals;
	char buf[THREAD_FILE_MAX];
};

void thread_reader_init(struct thread_reader *r, const struct walk *w);
void thread_reader_done(struct thread_reader *r);

/* Reads @n threads from task @first on, at most w->batch, into the walk's arrays. */
void thread_read_batch(struct thread_reader *r, size_t first, size_t n);

#endif
