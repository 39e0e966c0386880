/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef UTIL_CHILD_H
#define UTIL_CHILD_H

#include <stdint.h>
#include <sys/types.h>

#include "util/compiler.h"
#include "util/strbuf.h"

/* What a child may write; the rest is not read. */
#define CHILD_OUTPUT_MAX 65536u

struct child {
	pid_t pid;
	int pidfd;
	int out;          /* the end of the pipe we read from */
	int64_t deadline; /* milliseconds of CLOCK_MONOTONIC */
};

/* Runs @body in a child process whose @out is a pipe to us. The child dies with us. 0, then
 * child_finish() must follow; -errno. */
_must_check_ int child_start(struct child *child, void (*body)(void *ctx, int out), void *ctx,
			     int timeout_ms);

/* Collects what the child writes until it ends or its time (from the start on) is over; then it is
 * killed together with everything it started. 0 when it ended with status 0; -ETIMEDOUT; -ENOEXEC
 * for a program that could not be started (status 127); -ECHILD for any other end; -errno. */
_must_check_ int child_finish(struct child *child, struct strbuf *output);

#endif
