// SPDX-License-Identifier: GPL-2.0-only
/* Any text as a snapshot: what loads is written, and that loads and is written as it was. */
#include <stdint.h>
#include <stdlib.h>

#include "ctprof/snapshot_json.h"
#include "ctprof/verify.h"
#include "util/cleanup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int load(struct slice text, struct snapshot *ret, struct snapshot_notes *notes)
{
	struct err err = {};
	struct json_reader r;
	int e;

	json_reader_init_slice(&r, text, NULL, &err);
	e = snapshot_json_read(&r, ret, notes);
	json_reader_done(&r);
	if ((e < 0) != (err.text[0] != '\0'))
		abort();
	return e;
}

static void save(struct snapshot *s, struct strbuf *out)
{
	struct json_writer w;

	json_writer_init(&w, json_sink_strbuf, out, JSON_COMPACT);
	snapshot_json_write(s, &w, NULL, NULL);
	if (json_writer_finish(&w) < 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT, again = SNAPSHOT_INIT;
	_cleanup_(strbuf_done) struct strbuf first = STRBUF_INIT, second = STRBUF_INIT;
	_cleanup_(notes_done) struct snapshot_notes notes = {};

	if (load((struct slice){ (const char *)data, size }, &s, &notes) < 0)
		return 0;
	snapshot_check(&s, &notes);
	save(&s, &first);
	if (load(strbuf_slice(&first), &again, NULL) < 0)
		abort();
	save(&again, &second);
	if (!slice_eq(strbuf_slice(&first), strbuf_slice(&second)))
		abort();
	return 0;
}
