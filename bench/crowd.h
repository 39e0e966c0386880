/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A crowd of threads that do nothing, for something to look at. Its processes are children of the
 * thread that called crowd_start() and die with it, however it ends.
 */
#ifndef BENCH_CROWD_H
#define BENCH_CROWD_H

#include <stddef.h>
#include <sys/types.h>

#include "util/compiler.h"
#include "util/err.h"

struct crowd {
	size_t processes, threads_each; /* the first thread of a process counts */
	pid_t *pids;
};

/* Returns when every thread is there and about to wait. After a failure nothing is left behind. */
_must_check_ int crowd_start(struct crowd *crowd, size_t processes, size_t threads_each,
			     struct err *err);
/* Returns when all are gone. */
void crowd_stop(struct crowd *crowd);

static inline size_t crowd_size(const struct crowd *crowd)
{
	return crowd->processes * crowd->threads_each;
}

#endif
