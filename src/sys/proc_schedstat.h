/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* /proc/TGID/task/TID/schedstat: three numbers on one line. */
#ifndef SYS_PROC_SCHEDSTAT_H
#define SYS_PROC_SCHEDSTAT_H

#include <stdint.h>

#include "util/slice.h"

struct proc_schedstat {
	uint64_t run_time_ns;
	uint64_t wait_time_ns;
	uint64_t timeslices;
};

/* 0 when all three were found, else -EBADMSG: each that is missing or malformed is zero. So is one
 * that runs into the end of the text, without even a line end behind it: it may have been cut. */
int proc_schedstat_parse(struct slice text, struct proc_schedstat *ret);

#endif
