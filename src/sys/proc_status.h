/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* /proc/TGID/task/TID/status: asked only for what the cheaper files did not give. */
#ifndef SYS_PROC_STATUS_H
#define SYS_PROC_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/slice.h"

struct proc_status {
	char state; /* 0 when there is none */
	uint64_t threads, voluntary_switches, nonvoluntary_switches;
	bool has_threads, has_voluntary, has_nonvoluntary;
	/* Trimmed, points into the text; empty when there is none. */
	struct slice cpus_allowed_list;
};

/* All members are written. Each line stands for itself; one without a line end may have been cut
 * and does not count. */
void proc_status_parse(struct slice text, struct proc_status *ret);

#endif
