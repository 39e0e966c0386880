// SPDX-License-Identifier: LGPL-2.1-or-later
#include "proto/frame.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "util/crc32.h"

/* Another frame of the same message follows. */
#define FLAG_MORE 1u

/* Where the fields of a header are. */
enum {
	AT_TYPE = 0,
	AT_LENGTH = 4,
	AT_CRC = 8,
	AT_FLAGS = 12,
};

static void put_u32(char *to, uint32_t v)
{
	for (unsigned i = 0; i < 4; i++)
		to[i] = (char)(unsigned char)(v >> 8 * i);
}

static uint32_t get_u32(const char *from)
{
	uint32_t v = 0;

	for (unsigned i = 0; i < 4; i++)
		v |= (uint32_t)(unsigned char)from[i] << 8 * i;
	return v;
}

static char letter(uint32_t type, unsigned i)
{
	return (char)(type >> (24 - 8 * i) & 0xff);
}

static bool is_letters(uint32_t type)
{
	for (unsigned i = 0; i < 4; i++)
		if (letter(type, i) < 'A' || letter(type, i) > 'Z')
			return false;
	return true;
}

const char *frame_type_name(uint32_t type, char buf[static 12])
{
	switch (type) {
#define FRAME(name, ...)                                                                           \
	case FRAME_##name:                                                                         \
		return #name;
#include "proto/frames.def"
#undef FRAME
	}
	snprintf(buf, 12, "0x%08x", type);
	return buf;
}

static void put_header(uint32_t type, struct slice payload, uint32_t flags, char *to)
{
	put_u32(to + AT_TYPE, type);
	put_u32(to + AT_LENGTH, (uint32_t)payload.n);
	put_u32(to + AT_CRC, crc32_of(payload));
	put_u32(to + AT_FLAGS, flags);
}

void frame_header(uint32_t type, struct slice payload, char ret[static FRAME_HEADER_BYTES])
{
	assert(payload.n <= FRAME_PAYLOAD_MAX);
	put_header(type, payload, 0, ret);
}

void frame_encode(uint32_t type, struct slice payload, struct strbuf *out)
{
	bool more;

	assert(payload.n <= FRAME_MESSAGE_MAX);
	do {
		struct slice part = payload;
		char header[FRAME_HEADER_BYTES];

		more = payload.n > FRAME_PAYLOAD_MAX;
		if (more)
			part.n = FRAME_PAYLOAD_MAX;
		put_header(type, part, more ? FLAG_MORE : 0, header);
		strbuf_add(out, header, sizeof(header));
		strbuf_addslice(out, part);
		payload = (struct slice){ payload.s + part.n, payload.n - part.n };
	} while (more);
}

size_t frame_size(struct slice encoded)
{
	assert(encoded.n >= FRAME_HEADER_BYTES);
	return FRAME_HEADER_BYTES + get_u32(encoded.s + AT_LENGTH);
}

void frame_reader_done(struct frame_reader *r)
{
	strbuf_done(&r->input);
	strbuf_done(&r->message);
	*r = (struct frame_reader)FRAME_READER_INIT;
}

void frame_reader_feed(struct frame_reader *r, const char *bytes, size_t n)
{
	if (r->broken)
		return;
	if (r->at) {
		size_t rest = r->input.len - r->at;

		memmove(r->input.s, r->input.s + r->at, rest);
		strbuf_setlen(&r->input, rest);
		r->at = 0;
	}
	strbuf_add(&r->input, bytes, n);
}

/* Nothing that came before is needed any more. */
static int break_off(struct frame_reader *r)
{
	strbuf_done(&r->input);
	strbuf_done(&r->message);
	r->at = 0;
	r->broken = -EPROTO;
	return r->broken;
}

struct header {
	uint32_t type, length, crc, flags;
};

/* 0, or -EPROTO when no frame of ours can begin like this. */
static int check_header(struct frame_reader *r, const struct header *h)
{
	char name[12], within[12];

	if (!is_letters(h->type))
		return err_set(&r->why, -EPROTO, "a frame of type 0x%08x", h->type);
	if (h->length > FRAME_PAYLOAD_MAX)
		return err_set(&r->why, -EPROTO, "a frame %s of %u bytes, at most %u are possible",
			       frame_type_name(h->type, name), h->length, FRAME_PAYLOAD_MAX);
	if (h->flags & ~FLAG_MORE)
		return err_set(&r->why, -EPROTO, "a frame %s with unknown flags 0x%x",
			       frame_type_name(h->type, name), h->flags);
	if (r->in_message && h->type != r->message_type)
		return err_set(&r->why, -EPROTO, "a frame %s inside a message %s",
			       frame_type_name(h->type, name),
			       frame_type_name(r->message_type, within));
	if (r->in_message && h->length > FRAME_MESSAGE_MAX - r->message.len)
		return err_set(&r->why, -EPROTO, "a message %s of more than %u bytes",
			       frame_type_name(h->type, name), FRAME_MESSAGE_MAX);
	return 0;
}

/* One frame of a message: true with @ret once the message is whole. */
static bool take(struct frame_reader *r, const struct header *h, struct slice payload,
		 struct frame *ret)
{
	bool more = h->flags & FLAG_MORE, joined = r->in_message;

	if (h->crc != crc32_of(payload)) {
		r->bad_crc++;
		r->spoilt = true;
	}
	if (!r->spoilt && (more || joined))
		strbuf_addslice(&r->message, payload);
	r->in_message = more;
	r->message_type = h->type;
	if (more)
		return false;
	if (r->spoilt) {
		r->spoilt = false;
		strbuf_done(&r->message);
		return false;
	}
	ret->type = h->type;
	ret->payload = joined ? strbuf_slice(&r->message) : payload;
	return true;
}

int frame_next(struct frame_reader *r, struct frame *ret)
{
	if (r->broken)
		return r->broken;
	/* The message that was handed out last. */
	if (!r->in_message)
		strbuf_done(&r->message);
	while (r->input.len - r->at >= FRAME_HEADER_BYTES) {
		const char *p = r->input.s + r->at;
		const struct header h = {
			.type = get_u32(p + AT_TYPE),
			.length = get_u32(p + AT_LENGTH),
			.crc = get_u32(p + AT_CRC),
			.flags = get_u32(p + AT_FLAGS),
		};
		const struct slice payload = { p + FRAME_HEADER_BYTES, h.length };

		/* Judged before its payload is waited for. */
		if (check_header(r, &h) < 0)
			return break_off(r);
		if (r->input.len - r->at - FRAME_HEADER_BYTES < h.length)
			return 0;
		r->at += FRAME_HEADER_BYTES + h.length;
		if (take(r, &h, payload, ret))
			return 1;
	}
	return 0;
}
