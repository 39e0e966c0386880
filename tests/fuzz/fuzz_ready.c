// SPDX-License-Identifier: GPL-2.0-only
/* Any bytes as what a guest says of itself: what is accepted is written as something accepted. */
#include <stdint.h>
#include <stdlib.h>

#include "record/ready.h"
#include "util/cleanup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_and_write(struct slice text, struct strbuf *out)
{
	_cleanup_(ready_done) struct ready ready = READY_INIT;
	struct json_writer w;
	struct err err;

	if (ready_read(text, &ready, &err) < 0)
		return -1;
	json_writer_init(&w, json_sink_strbuf, out, JSON_COMPACT);
	ready_json(&ready, &w);
	return json_writer_finish(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(strbuf_done) struct strbuf once = STRBUF_INIT, twice = STRBUF_INIT;

	if (read_and_write((struct slice){ (const char *)data, size }, &once) < 0)
		return 0;
	/* Escapes may have made a text longer than what is read. */
	if (read_and_write(strbuf_slice(&once), &twice) < 0)
		return 0;
	if (!slice_eq(strbuf_slice(&once), strbuf_slice(&twice)))
		abort();
	return 0;
}
