/* SPDX-License-Identifier: GPL-2.0-only */
/* A flat folder for temporary files that is removed when this process ends, even by SIGKILL. */
#ifndef BENCH_TMPDIR_H
#define BENCH_TMPDIR_H

#include <sys/types.h>

#include "util/compiler.h"
#include "util/err.h"

struct tmpdir {
	char *path;
	int alive;    /* whatever ends us closes it */
	pid_t keeper; /* waits for that and removes the folder */
};

/* After a failure nothing is left but memory: the program is to end. */
_must_check_ int tmpdir_make(struct tmpdir *dir, struct err *err);
/* Returns when the folder is gone. */
void tmpdir_remove(struct tmpdir *dir);

#endif
