/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A process of ours that talks to us over a pipe, ends in time, and takes along what it started. */
#ifndef UTIL_CHILD_H
#define UTIL_CHILD_H

#include <stdint.h>
#include <sys/types.h>

#include "util/compiler.h"
#include "util/strbuf.h"

/* What child_finish() keeps of what the child writes. */
#define CHILD_OUTPUT_MAX 65536u

#define CHILD_NO_TIMEOUT (-1)

struct child {
	pid_t pid;
	int pidfd;
	int out;          /* the end of the pipe we read from */
	int64_t deadline; /* milliseconds of CLOCK_MONOTONIC; INT64_MAX: none */
};

/* Runs @body in a child process whose @out is a pipe to us. The child dies with us. 0, then
 * child_finish() or child_follow() must follow; -errno. */
_must_check_ int child_start(struct child *child, void (*body)(void *ctx, int out), void *ctx,
			     int timeout_ms);

/* Who follows a child; members that are not set do nothing. */
struct child_watch {
	void *ctx;
	void (*output)(void *ctx, const char *bytes, size_t n);
	/* Called every @tick_ms, also while there is no output. */
	void (*tick)(void *ctx);
	int tick_ms;
	int stop_fd; /* once readable (a signalfd, say) the child is given up; -1: none */
};

/* Hands over what the child writes until it ends or its time (from the start on) is over; then it
 * is killed together with everything it started. 0 when it ended with status 0; -ETIMEDOUT;
 * -ECANCELED by stop_fd; -ENOEXEC for a program that could not be started (status 127); -ECHILD for
 * any other end; -errno. */
_must_check_ int child_follow(struct child *child, const struct child_watch *watch);

/* The same for a child with little to say: appends its output to @output. */
_must_check_ int child_finish(struct child *child, struct strbuf *output);

#endif
