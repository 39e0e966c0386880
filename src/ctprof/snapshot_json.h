/* SPDX-License-Identifier: GPL-2.0-only */
/* The JSON document of a snapshot, as text; ctprof-snapshot(5) describes it. */
#ifndef CTPROF_SNAPSHOT_JSON_H
#define CTPROF_SNAPSHOT_JSON_H

#include "ctprof/file.h"
#include "ctprof/notes.h"
#include "json/reader.h"
#include "json/writer.h"

/* As the one value of @w. */
void snapshot_json_write(struct snapshot *s, struct json_writer *w, snapshot_closing *closing,
			 void *ctx);

/* The one value of @r and nothing behind it. @ret is SNAPSHOT_INIT and needs snapshot_done() in any
 * case. What is odd but loads is told to @notes, which may be NULL. 0 or <0 as the reader has it.
 */
_must_check_ int snapshot_json_read(struct json_reader *r, struct snapshot *ret,
				    struct snapshot_notes *notes);

#endif
