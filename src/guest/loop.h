/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What init does while the guest runs: one poll loop between the port, the runner and the kernel's
 * log. It is the only writer of the port. Every wait in it has an event or a deadline:
 *
 *	the runner ends      SIGCHLD; how long it may run is the host's affair
 *	the port is full     the host reads, or hangs up
 *	the host hung up     HANGUP_MS
 *	EXIT is under way    the host answers with an empty EXIT, so that nothing that is still on
 *its way to it dies with QEMU; ANSWER_MS, or LAST_WORDS_MS behind a CRSH
 */
#ifndef GUEST_LOOP_H
#define GUEST_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "guest/kmsg.h"
#include "guest/outbox.h"
#include "guest/runner.h"
#include "proto/frame.h"
#include "util/slice.h"

enum loop_phase {
	LOOP_RUN,  /* until the runner has ended and its output is read */
	LOOP_LOG,  /* until what the kernel said so far is read as well */
	LOOP_SEND, /* until that is on its way */
	LOOP_LAST, /* until the last message has arrived */
	LOOP_OVER,
};

struct loop {
	int port;    /* -1 without */
	int signals; /* a signalfd for SIGCHLD */
	struct kmsg kmsg;
	struct runner runner;
	struct outbox out;
	struct frame_reader in;
	enum loop_phase phase;
	unsigned log_rounds;    /* LOOP_LOG: reads that are still allowed */
	int64_t beat_ms;        /* when the next sign of life is due */
	int64_t over_ms;        /* LOOP_LAST: its deadline */
	int64_t hung_up_ms;     /* when the host will be given up; 0: it is there */
	unsigned ignored;       /* messages of the host that make no sense */
	struct strbuf log_text; /* scratch */
};

/* Blocks SIGCHLD. 0 or -errno. */
_must_check_ int loop_init(struct loop *l, int port, struct err *err);
void loop_done(struct loop *l);

void loop_send(struct loop *l, uint32_t type, struct slice payload);

/* Init cannot go on: this is the last message. */
void loop_fail(struct loop *l, const char *text);

/* Until everything is said, or nobody is there to hear it. */
void loop_run(struct loop *l);

#endif
