/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef DOCTOR_CHILD_H
#define DOCTOR_CHILD_H

#include "util/compiler.h"
#include "util/strbuf.h"

/* What a child may write; the rest is not read. */
#define CHILD_OUTPUT_MAX 65536u

/* Runs @body in a child process whose @out is a pipe to us, and collects what it writes. The child
 * dies with us, and at the deadline together with everything it started. 0 when it ended with
 * status 0; -ETIMEDOUT; -ENOEXEC for a program that could not be started (status 127); -ECHILD for
 * any other end; -errno. */
_must_check_ int child_run(void (*body)(void *ctx, int out), void *ctx, int timeout_ms,
			   struct strbuf *output);

#endif
