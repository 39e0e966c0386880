/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums over a snapshot: what is absent, and which files could not be read. Private to the capture.
 */
#ifndef CTPROF_TALLY_H
#define CTPROF_TALLY_H

#include "ctprof/snapshot.h"

/* Fills s->absence in: over all threads, and over what belongs to none. @processes has one count
 * per enum absence: processes whose threads could not even be listed. */
void tally_absence(struct snapshot *s, const uint64_t *processes);

/* @failures has one count per enum parse_file. */
void tally_parse(struct snapshot *s, uint64_t tids_walked, const uint64_t *failures,
		 uint64_t negative);

#endif
