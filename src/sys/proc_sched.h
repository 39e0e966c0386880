/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* /proc/TGID/task/TID/sched: what the scheduler keeps about a thread. */
#ifndef SYS_PROC_SCHED_H
#define SYS_PROC_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "util/slice.h"

enum sched_key {
#define SCHED_KEY(name, ...) SCHED_KEY_##name,
#include "sys/proc_sched.def"
#undef SCHED_KEY
	SCHED_KEY_COUNT
};

struct proc_sched {
#define SCHED_KEY(name, ...) uint64_t name;
#include "sys/proc_sched.def"
#undef SCHED_KEY
	bool ext_enabled;
	bool has_ext;       /* the kernel told `ext.enabled` */
	bool ext_malformed; /* it told something that is no number */
	uint64_t has;       /* bit per enum sched_key: it was there and well formed */
	uint64_t malformed; /* bit per enum sched_key: it was there and is no such number */
	unsigned negative;  /* how many of those are negative times, a fault of some kernels */
};

static inline bool proc_sched_has(const struct proc_sched *s, enum sched_key key)
{
	return s->has >> key & 1;
}

/* Keys count by what stands behind their last dot ("se.statistics.wait_sum", "wait_sum"), but for
 * `ext.enabled`, which is taken whole. They begin below the line of dashes: what stands above is
 * the name of the thread, which may hold line ends and look like a key. Unknown keys are passed
 * over; of a key that comes twice the first counts. A line without its line end may have been cut:
 * a value on it is malformed. All members are written; what is not there is zero. */
void proc_sched_parse(struct slice text, struct proc_sched *ret);

#endif
