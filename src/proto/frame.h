/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages between guest and host: a stream of frames, each a header of 16 bytes (type, length,
 * CRC32 of the payload, flags; little endian) and its payload. A message larger than a frame is
 * several frames of one type, all but the last flagged. Pure: no file descriptors.
 */
#ifndef PROTO_FRAME_H
#define PROTO_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/compiler.h"
#include "util/err.h"
#include "util/slice.h"
#include "util/strbuf.h"

#define FRAME_HEADER_BYTES 16u
/* A write to a virtio port moves at most 32 KiB. */
#define FRAME_PAYLOAD_MAX (32u * 1024 - FRAME_HEADER_BYTES)
/* What a reader puts together; a guest cannot make it keep more. */
#define FRAME_MESSAGE_MAX (64u * 1024 * 1024)

/* The four letters, the first in the most significant byte. */
enum frame_type {
#define FRAME(name, a, b, c, d, what) FRAME_##name = (a) << 24 | (b) << 16 | (c) << 8 | (d),
#include "proto/frames.def"
#undef FRAME
};

/* "SRDY" (letters and terminator), or "0x..." for what is no known type. */
const char *frame_type_name(uint32_t type, char buf[static 12]);

/* Appends the frames of one message. */
void frame_encode(uint32_t type, struct slice payload, struct strbuf *out);

/* The header of a message that is one frame: its payload is at most FRAME_PAYLOAD_MAX bytes. For
 * signal handlers, which cannot allocate. */
void frame_header(uint32_t type, struct slice payload, char ret[static FRAME_HEADER_BYTES]);

/* Bytes of the whole frame at the front of @encoded, which is what frame_encode() wrote. */
size_t frame_size(struct slice encoded);

struct frame {
	uint32_t type;
	struct slice payload; /* the whole message; valid until the next call */
};

/* Takes bytes as they come. Memory is bounded by one message and what was fed since frame_next()
 * last returned 0. */
struct frame_reader {
	struct strbuf input;   /* not yet taken apart */
	size_t at;             /* of input */
	struct strbuf message; /* of frames that were flagged */
	uint32_t message_type;
	bool in_message;
	bool spoilt;      /* a frame of this message was dropped */
	uint64_t bad_crc; /* frames dropped */
	int broken;       /* the stream makes no sense any more: -EPROTO */
	struct err why;
};

#define FRAME_READER_INIT                                                                          \
	{                                                                                          \
		.input = STRBUF_INIT, .message = STRBUF_INIT                                       \
	}

void frame_reader_done(struct frame_reader *r);
void frame_reader_feed(struct frame_reader *r, const char *bytes, size_t n);

/* 1 and the next whole message; 0 when more bytes are needed; -EPROTO once the guest violated the
 * protocol (a type that is not four letters, an impossible length, unknown flags, a message above
 * the limit, another type inside a message), with r->why; it stays so. A frame with a wrong
 * checksum is dropped and counted, and its message with it. */
_must_check_ int frame_next(struct frame_reader *r, struct frame *ret);

#endif
