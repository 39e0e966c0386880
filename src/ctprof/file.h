/* SPDX-License-Identifier: GPL-2.0-only */
/* Snapshot files: one zstd stream of one JSON document; ctprof-snapshot(5) describes it. */
#ifndef CTPROF_FILE_H
#define CTPROF_FILE_H

#include <stdint.h>

#include "ctprof/notes.h"
#include "ctprof/snapshot.h"
#include "util/compiler.h"
#include "util/err.h"

/* Called once everything but the cost of the capture is written, so that this cost can include
 * writing; may be NULL. */
typedef void snapshot_closing(struct snapshot *s, void *ctx);

/* To a file descriptor, which stays the caller's. */
_must_check_ int snapshot_write(struct snapshot *s, int fd, snapshot_closing *closing, void *ctx,
				struct err *err);

/* To a file that appears whole, so that whatever happens the old file or the new one is there; what
 * can be left behind by a kill, util/newfile.h says. A device or a FIFO at @path is written to
 * directly. Messages name @path and the cause. */
_must_check_ int snapshot_save(struct snapshot *s, const char *path, snapshot_closing *closing,
			       void *ctx, struct err *err);

/* @ret is SNAPSHOT_INIT. Whatever the file holds, memory stays in proportion to the result. Members
 * that are missing have their defaults; unknown ones are passed over; `_kb` and `_kib` are the
 * same.
 * @max_bytes bounds the JSON text, 0 stands for 1 GiB. 0; -EBADMSG, -E2BIG or -ERANGE: the file is
 * there but damaged, refused or no snapshot; any other: it could not be read. @err names the path.
 * After a failure @ret is SNAPSHOT_INIT again.
 */
_must_check_ int snapshot_load(const char *path, uint64_t max_bytes, struct snapshot *ret,
			       struct err *err);

/* The same, and tells what is odd but loads. @notes is empty and needs notes_done(). */
_must_check_ int snapshot_load_noted(const char *path, uint64_t max_bytes, struct snapshot *ret,
				     struct snapshot_notes *notes, struct err *err);

#endif
