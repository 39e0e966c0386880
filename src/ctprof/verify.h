/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether a snapshot file is whole: it loads, and what is in it agrees with itself. */
#ifndef CTPROF_VERIFY_H
#define CTPROF_VERIFY_H

#include "ctprof/notes.h"
#include "ctprof/snapshot.h"
#include "render/cell.h"

enum verdict {
	VERDICT_WHOLE,
	VERDICT_DAMAGED,
	VERDICT_UNREADABLE, /* nothing is known about it */
};

struct verified {
	const char *path; /* as given; borrowed */
	enum verdict verdict;
	char *fault; /* why it is not whole; NULL when it is, and only then the rest is filled in */
	size_t threads, processes, cgroups;
	uint64_t captured_at_unix_ns;
	char *kernel; /* NULL: not told, as the two below */
	char *engine;
	uint64_t capture_ns; /* with an engine */
	bool has_checksum;
};

/* "whole", "damaged", "unreadable" */
const char *verdict_name(enum verdict verdict);

/* @max_bytes as for snapshot_load(). @ret needs verified_done(). */
void verify_file(const char *path, uint64_t max_bytes, struct verified *ret);
void verified_done(struct verified *v);

/* One line about it, with its end. */
void verified_line(const struct verified *v, struct strbuf *out);

/* A row about each file; @v outlives the view. */
void verified_view(struct view *view, const struct verified *v, size_t n);

/* Tells what a loaded snapshot has that contradicts itself. */
void snapshot_check(const struct snapshot *s, struct snapshot_notes *notes);

#endif
