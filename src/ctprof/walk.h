/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The procfs engine: lists every thread, then several workers read them in batches. Private to the
 * capture.
 */
#ifndef CTPROF_WALK_H
#define CTPROF_WALK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "ctprof/capture.h"
#include "ctprof/cgroup_paths.h"
#include "ctprof/snapshot.h"
#include "sys/proc_task.h"
#include "sys/taskstats.h"

struct walk_process {
	uint32_t tgid;
	int listed; /* 0, or -errno of listing its threads */
	struct proc_ids tids;
	const char *cgroup; /* of all its threads; NULL: each is asked */
};

struct walk_task {
	uint32_t process; /* index */
	uint32_t tid;
};

/* What workers count. */
struct walk_totals {
	uint64_t failures[PARSE_FILE_COUNT];
	uint64_t negative;
	uint64_t unopened[ABSENCE_COUNT]; /* threads that are there but cannot be looked at */
	uint64_t taskstats_ok, taskstats_eperm, taskstats_esrch, taskstats_other;
};

struct walk {
	const struct capture_options *options;
	struct proc_dir proc;
	struct cgroup_paths *cgroups;
	bool numbers_are_ours;       /* system calls by number mean the threads of this /proc */
	unsigned jobs;               /* workers */
	size_t batch;                /* threads that a worker holds open at a time */
	enum absence schedstats_off; /* why this kernel prints no schedstats */

	struct walk_process *processes; /* by tgid */
	size_t n_processes;
	struct walk_task *tasks; /* by tgid, then tid */
	size_t n_tasks;
	atomic_size_t next; /* process while listing, task while reading */

	struct thread *threads; /* per task, as the other two */
	bool *kept;             /* it was still there at the end */
	bool *kernel;           /* a kernel thread */

	pthread_mutex_t lock; /* for what workers hand over */
	struct walk_totals totals;
	struct arena arena;
};

/* Lists the processes and their threads. The caller has filled in all above `processes`, and
 * initialised the lock. */
_must_check_ int walk_list(struct walk *w, struct err *err);

/* Reads what was listed. */
void walk_read(struct walk *w);

void walk_done(struct walk *w);

#endif
