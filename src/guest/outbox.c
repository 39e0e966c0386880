// SPDX-License-Identifier: LGPL-2.1-or-later
#include "guest/outbox.h"

#include <assert.h>
#include <string.h>

#include "proto/frame.h"

#define WRITE_MAX (FRAME_HEADER_BYTES + FRAME_PAYLOAD_MAX)

static const size_t welcome[LANE_COUNT] = {
	[LANE_MAIN] = 256u * 1024,
	[LANE_LOG] = 64u * 1024,
};

void outbox_done(struct outbox *out)
{
	for (int i = 0; i < LANE_COUNT; i++)
		strbuf_done(&out->queue[i].frames);
	*out = (struct outbox)OUTBOX_INIT;
}

static struct slice waiting(const struct outbox *out, enum outbox_lane lane)
{
	const struct outbox_queue *q = &out->queue[lane];

	return (struct slice){ q->frames.s + q->sent, q->frames.len - q->sent };
}

bool outbox_has_room(const struct outbox *out, enum outbox_lane lane)
{
	return waiting(out, lane).n < welcome[lane];
}

bool outbox_is_empty(const struct outbox *out, enum outbox_lane lane)
{
	return !waiting(out, lane).n;
}

void outbox_add(struct outbox *out, enum outbox_lane lane, uint32_t type, struct slice payload)
{
	struct outbox_queue *q = &out->queue[lane];

	if (q->sent >= q->frames.len / 2) {
		struct slice rest = waiting(out, lane);

		memmove(q->frames.s, rest.s, rest.n);
		strbuf_setlen(&q->frames, rest.n);
		q->sent = 0;
	}
	frame_encode(type, payload, &q->frames);
}

struct slice outbox_next(struct outbox *out)
{
	struct slice rest;
	size_t n = 0;

	if (out->cut)
		return (struct slice){ waiting(out, out->turn).s, out->cut };
	if (outbox_is_empty(out, out->turn))
		out->turn = (enum outbox_lane) !out->turn;
	rest = waiting(out, out->turn);
	while (n < rest.n) {
		size_t frame = frame_size((struct slice){ rest.s + n, rest.n - n });

		if (n + frame > WRITE_MAX)
			break;
		n += frame;
	}
	return (struct slice){ rest.s, n };
}

void outbox_sent(struct outbox *out, size_t n)
{
	struct outbox_queue *q = &out->queue[out->turn];

	assert(n <= q->frames.len - q->sent);
	while (n) {
		size_t left = out->cut;

		if (!left)
			left = frame_size(waiting(out, out->turn));
		out->cut = n < left ? left - n : 0;
		q->sent += left - out->cut;
		n -= left - out->cut;
	}
	if (!out->cut)
		out->turn = (enum outbox_lane) !out->turn;
}
