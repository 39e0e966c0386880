/* SPDX-License-Identifier: GPL-2.0-only */
/* Work that takes minutes, as it is told on standard error: one line that changes on a terminal,
 * else a line now and then. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/make.h"

struct progress {
	bool tty, shown; /* a line stands there that has to go */
	const char *step;
	uint64_t told; /* second of the last line */
};

void progress_init(struct progress *p);

/* Removes the line, so that others can write. */
void progress_clear(struct progress *p);

/* For struct kernel_job; @ctx is a struct progress. */
void progress_kernel(void *ctx, const struct kernel_progress *at);
void progress_note(void *ctx, const char *text);

#endif
