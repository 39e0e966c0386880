// SPDX-License-Identifier: GPL-2.0-only
/* Any bytes as what a guest wrote, whole and cut in two: the same messages, and bounded memory. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/frame.h"
#include "util/cleanup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Appends what comes out: type, length, bytes. */
static void drain(struct frame_reader *r, struct strbuf *seen)
{
	struct frame f;
	int got;

	while ((got = frame_next(r, &f)) == 1) {
		if (f.payload.n > FRAME_MESSAGE_MAX)
			abort();
		strbuf_add(seen, &f.type, sizeof(f.type));
		strbuf_add(seen, &f.payload.n, sizeof(f.payload.n));
		strbuf_addslice(seen, f.payload);
	}
	if (got < 0 && (!r->why.text[0] || frame_next(r, &f) != got))
		abort();
	/* Less than a whole frame is left to wait with. */
	if (r->input.len - r->at >= FRAME_HEADER_BYTES + FRAME_PAYLOAD_MAX)
		abort();
}

static void read_stream(const char *bytes, size_t n, size_t cut, struct strbuf *seen)
{
	_cleanup_(frame_reader_done) struct frame_reader r = FRAME_READER_INIT;

	frame_reader_feed(&r, bytes, cut);
	drain(&r, seen);
	frame_reader_feed(&r, bytes + cut, n - cut);
	drain(&r, seen);
	strbuf_add(seen, &r.bad_crc, sizeof(r.bad_crc));
	strbuf_addstr(seen, r.why.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(strbuf_done) struct strbuf whole = STRBUF_INIT, cut = STRBUF_INIT;
	const char *bytes = (const char *)data;

	read_stream(bytes, size, 0, &whole);
	read_stream(bytes, size, size ? data[0] % size : 0, &cut);
	if (!slice_eq(strbuf_slice(&whole), strbuf_slice(&cut)))
		abort();
	return 0;
}
