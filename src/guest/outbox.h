/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What waits to be written to the port, in two lanes that take turns, so that neither a command
 * that floods us nor a kernel that does keeps the other silent. A lane is bounded by its user: who
 * asks for room before reading more leaves the rest in the pipe, or in the kernel's log buffer.
 */
#ifndef GUEST_OUTBOX_H
#define GUEST_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/slice.h"
#include "util/strbuf.h"

enum outbox_lane {
	LANE_MAIN, /* output of the command, and what init has to say */
	LANE_LOG,  /* of the kernel */
	LANE_COUNT
};

struct outbox {
	struct outbox_queue {
		struct strbuf frames;
		size_t sent; /* bytes of them */
	} queue[LANE_COUNT];
	enum outbox_lane turn;
	size_t cut; /* bytes of the frame in turn that are still to come before another may */
};

#define OUTBOX_INIT                                                                                \
	{                                                                                          \
		.queue = { { .frames = STRBUF_INIT }, { .frames = STRBUF_INIT } },                 \
	}

void outbox_done(struct outbox *out);

/* Never refused: the room is asked for before. */
void outbox_add(struct outbox *out, enum outbox_lane lane, uint32_t type, struct slice payload);

/* Whether a further message is welcome. */
bool outbox_has_room(const struct outbox *out, enum outbox_lane lane);
bool outbox_is_empty(const struct outbox *out, enum outbox_lane lane);

/* The bytes to write next: whole frames of one lane, as many as one write() moves; or what is left
 * of a frame that a write took only in part. Empty when there is nothing. */
struct slice outbox_next(struct outbox *out);
/* That many of them were written. */
void outbox_sent(struct outbox *out, size_t n);

#endif
