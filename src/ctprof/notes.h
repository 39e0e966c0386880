/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a snapshot file has that no whole one has, although it loads: threads out of order, a state
 * that is no letter. Each is a sentence without a full stop; a file can earn only so many.
 */
#ifndef CTPROF_NOTES_H
#define CTPROF_NOTES_H

#include "util/strv.h"

#define NOTES_MAX 16

struct snapshot_notes {
	struct strv list;
	size_t left_out; /* more of them, not kept */
};

void notes_done(struct snapshot_notes *notes);

/* @notes may be NULL. */
void notes_add(struct snapshot_notes *notes, const char *fmt, ...) _printf_(2, 3);

#endif
