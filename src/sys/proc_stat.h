/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* /proc/TGID/task/TID/stat: who the thread is, and what it used since it began. */
#ifndef SYS_PROC_STAT_H
#define SYS_PROC_STAT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/compiler.h"
#include "util/slice.h"

struct proc_stat {
	struct slice comm; /* between the outer parentheses, any bytes; points into the text */
	char state;        /* 0 when there is none */
	bool kernel_thread;
	uint64_t minflt, majflt;
	uint64_t utime, stime; /* clock ticks */
	int32_t priority, nice;
	uint64_t num_threads; /* of the process */
	uint64_t start_time;  /* clock ticks after boot */
	int32_t processor;
	uint32_t rt_priority;
	int32_t policy; /* SCHED_*; see proc_policy_name() */
};

/* The name may hold spaces, parentheses and line ends: the numbers begin behind the last ')'. Each
 * value stands for itself: one that is malformed, or behind the end of a short line, stays zero
 * (policy: -1) and the rest is still read. A value that runs into the end of the text, without even
 * a line end behind it, may have been cut and is malformed; so is everything in a text so short
 * that it may end inside the name. 0 when every value was found; -EBADMSG otherwise. */
int proc_stat_parse(struct slice text, struct proc_stat *ret);

/* Whether the kernel could mean a state by it: a letter. */
bool proc_is_state(char c);

/* "SCHED_OTHER", ... or "SCHED_UNKNOWN(n)" for a number without a name; @buf holds the latter. */
#define PROC_POLICY_ROOM 32
const char *proc_policy_name(int32_t policy, char buf[static PROC_POLICY_ROOM]);

#endif
