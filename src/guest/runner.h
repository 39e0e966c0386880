/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The one child that runs the job, in a session of its own: behind pipes, or on a terminal of ours.
 * All descriptors here are non-blocking.
 */
#ifndef GUEST_RUNNER_H
#define GUEST_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/job.h"
#include "util/compiler.h"
#include "util/err.h"
#include "util/slice.h"
#include "util/strbuf.h"

enum runner_stream {
	RUNNER_OUT,
	RUNNER_ERR, /* a terminal has none */
	RUNNER_STREAMS
};

struct runner {
	pid_t pid;
	bool tty;
	int in;                  /* -1: closed, what comes for it is dropped */
	int out[RUNNER_STREAMS]; /* -1: at its end */
	struct strbuf input;     /* still to be written to `in` */
	size_t input_sent;       /* bytes of it */
	bool input_ends;         /* close `in` behind it */
	bool ended;
	int status;                  /* as waitpid() gave it */
	size_t left[RUNNER_STREAMS]; /* ended: bytes that were in the pipe then */
	int64_t hangup_ms;           /* ended: when to stop waiting for the terminal */
};

#define RUNNER_INIT                                                                                \
	{                                                                                          \
		.in = -1, .out = { -1, -1 }, .input = STRBUF_INIT                                  \
	}

/* The environment of @job: what every command gets, as far as the job does not set it, and then
 * what the job sets. */
void runner_env(const struct job *job, struct strv *ret);

/* What cannot be executed says so on its standard error and ends with 127 or 126, as in a shell. */
_must_check_ int runner_start(struct runner *r, const struct job *job, struct err *err);
void runner_done(struct runner *r);

/* Standard input; none: it ended. */
void runner_feed(struct runner *r, struct slice bytes);
/* Whether to read more from the host. */
bool runner_is_hungry(const struct runner *r);
/* Writes what `in` takes now. */
void runner_push(struct runner *r);

/* Reads from a stream: bytes in @buf, 0 when there is nothing now or it came to its end. */
_must_check_ size_t runner_pull(struct runner *r, enum runner_stream stream, char *buf, size_t n);

void runner_resize(const struct runner *r, unsigned rows, unsigned cols);
/* To what is in the foreground of its terminal, or to its process group. */
void runner_signal(const struct runner *r, int signal);

/* waitpid() said how it ended. From now on only what was written until now is read: what it left in
 * the background must not keep the guest. */
void runner_ended(struct runner *r, int status);
/* Whether all of its output has been read. */
bool runner_is_drained(const struct runner *r);

#endif
