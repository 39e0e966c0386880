/* SPDX-License-Identifier: GPL-2.0-only */
/* Snapshots as the text of their document. */
#ifndef TESTS_SNAPSHOT_TEXT_H
#define TESTS_SNAPSHOT_TEXT_H

#include "ctprof/snapshot_json.h"
#include "unit.h"

static inline void write_text(struct snapshot *s, struct strbuf *out)
{
	struct json_writer w;

	json_writer_init(&w, json_sink_strbuf, out, JSON_COMPACT);
	snapshot_json_write(s, &w, NULL, NULL);
	assert_int_equal(json_writer_finish(&w), 0);
}

static inline int read_text(struct slice text, struct snapshot *ret, struct snapshot_notes *notes,
			    struct err *err)
{
	struct json_reader r;
	int e;

	*err = (struct err){};
	json_reader_init_slice(&r, text, NULL, err);
	e = snapshot_json_read(&r, ret, notes);
	json_reader_done(&r);
	return e;
}

static inline void load(const char *text, struct snapshot *ret)
{
	struct err err;

	if (read_text(slice_of(text), ret, NULL, &err) < 0)
		fail_msg("%s", err.text);
}

#endif
