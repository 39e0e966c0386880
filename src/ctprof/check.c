// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "ctprof/registry.h"
#include "ctprof/verify.h"

static void check_threads(const struct snapshot *s, struct snapshot_notes *notes)
{
	for (size_t i = 0; i < s->threads.n; i++) {
		const struct thread *t = &s->threads.v[i];
		unsigned char state = (unsigned char)t->state.v;

		if (i && t[-1].tgid == t->tgid && t[-1].tid == t->tid)
			notes_add(notes, "thread %" PRIu32 " of process %" PRIu32 " comes twice",
				  t->tid, t->tgid);
		if (!isalpha(state) && state != STATE_UNKNOWN)
			notes_add(notes, "the state of thread %" PRIu32 " is no letter: 0x%02x",
				  t->tid, state);
	}
}

struct tally {
	uint64_t n[READING_COUNT][ABSENCE_COUNT];
};

static void count_threads(const struct snapshot *s, struct tally *tally)
{
	for (size_t i = 0; i < s->threads.n; i++)
		for (size_t reading = READING_NONE + 1; reading < READING_COUNT; reading++)
			tally->n[reading][s->threads.v[i].absent[reading]]++;
}

static void count_told(const struct snapshot *s, struct tally *tally)
{
	for (size_t i = 0; i < s->absence.n; i++)
		for (size_t reading = READING_NONE + 1; reading < READING_COUNT; reading++)
			if (strcmp(s->absence.v[i].source, reading_name(reading)) == 0)
				tally->n[reading][s->absence.v[i].reason] = s->absence.v[i].count;
}

/* Files of others have neither. */
static void check_absence(const struct snapshot *s, struct snapshot_notes *notes)
{
	struct tally counted = {}, told = {};

	if (!s->schema_name)
		return;
	count_threads(s, &counted);
	count_told(s, &told);
	for (size_t reading = READING_NONE + 1; reading < READING_COUNT; reading++)
		for (enum absence why = ABSENCE_NONE + 1; why < ABSENCE_COUNT; why++)
			if (counted.n[reading][why] != told.n[reading][why])
				notes_add(notes,
					  "'%s' is absent (%s) %" PRIu64
					  " times, 'absence' says %" PRIu64,
					  reading_name(reading), absence_name(why),
					  counted.n[reading][why], told.n[reading][why]);
}

void snapshot_check(const struct snapshot *s, struct snapshot_notes *notes)
{
	check_threads(s, notes);
	check_absence(s, notes);
	if (s->capture.present && s->capture.end_boottime_ns < s->capture.start_boottime_ns)
		notes_add(notes, "the capture ends before it begins");
}
