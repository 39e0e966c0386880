/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums over a snapshot: what is absent, and which files could not be read. Private to the capture.
 */
#ifndef CTPROF_TALLY_H
#define CTPROF_TALLY_H

#include "ctprof/snapshot.h"

/* What has no row in the snapshot although it is there, by reason. */
struct unlisted {
	uint64_t processes[ABSENCE_COUNT]; /* whose threads could not be listed */
	uint64_t threads[ABSENCE_COUNT];   /* that could not be looked at, or are hidden from us */
};

/* Fills s->absence in: over all threads, and over what belongs to none. */
void tally_absence(struct snapshot *s, const struct unlisted *unlisted);

/* @failures has one count per enum parse_file. */
void tally_parse(struct snapshot *s, uint64_t tids_walked, const uint64_t *failures,
		 uint64_t negative);

#endif
