// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/tally.h"

#include <string.h>

#include "ctprof/registry.h"

static void add(struct snapshot *s, const char *source, enum absence reason, uint64_t count)
{
	if (count && reason)
		vec_push(&s->absence, (struct snapshot_absence){ source, reason, count });
}

static void add_all(struct snapshot *s, const char *source, const uint64_t *counts)
{
	for (enum absence why = ABSENCE_NONE + 1; why < ABSENCE_COUNT; why++)
		add(s, source, why, counts[why]);
}

static void add_threads(struct snapshot *s)
{
	uint64_t counts[READING_COUNT][ABSENCE_COUNT] = {};

	for (size_t i = 0; i < s->threads.n; i++)
		for (size_t reading = 0; reading < READING_COUNT; reading++)
			counts[reading][s->threads.v[i].absent[reading]]++;
	for (size_t reading = 0; reading < READING_COUNT; reading++)
		add_all(s, reading_name((enum reading)reading), counts[reading]);
}

static void add_pressure(struct snapshot *s)
{
	uint64_t counts[ABSENCE_COUNT] = {};

	for (size_t i = 0; i < PSI_COUNT; i++)
		counts[s->psi.resource[i].absence]++;
	add_all(s, "psi", counts);
}

static void add_cgroups(struct snapshot *s)
{
	uint64_t counts[ABSENCE_COUNT] = {};

	for (size_t i = 0; i < s->cgroups_absent.n; i++)
		counts[snapshot_cgroup_absence(&s->cgroups_absent.v[i])]++;
	add_all(s, "cgroup_stats", counts);
}

/* All of it once, or each member. */
static void add_schedext(struct snapshot *s)
{
	uint64_t counts[ABSENCE_COUNT] = {};

	counts[s->schedext.absence]++;
	if (!s->schedext.absence) {
		counts[s->schedext.absent.state]++;
#define SCHEDEXT(name) counts[s->schedext.absent.name]++;
#include "sys/schedext.def"
#undef SCHEDEXT
	}
	add_all(s, "schedext", counts);
}

void tally_absence(struct snapshot *s, const struct unlisted *unlisted)
{
	add_threads(s);
	add_pressure(s);
	add_cgroups(s);
	add_all(s, "process", unlisted->processes);
	add_all(s, "thread", unlisted->threads);
	add_schedext(s);
	snapshot_sort_absence(s);
}

static const char *const file_names[] = {
#define X(name) #name,
	PARSE_FILES(X)
#undef X
};

void tally_parse(struct snapshot *s, uint64_t tids_walked, const uint64_t *failures,
		 uint64_t negative)
{
	struct parse_summary *p = &s->parse;
	struct keyed_row *rows = arena_alloc_array(&s->arena, PARSE_FILE_COUNT, sizeof(*rows));
	uint64_t most = 0, of_config = failures[PARSE_FILE_schedstat] + failures[PARSE_FILE_io];

	*p = (struct parse_summary){ .present = true, .tids_walked = tids_walked };
	p->negative_dotted_values = negative;
	p->read_failures_by_file.rows = rows;
	for (size_t i = 0; i < PARSE_FILE_COUNT; i++) {
		if (!failures[i])
			continue;
		rows[p->read_failures_by_file.n++] =
			(struct keyed_row){ file_names[i], failures[i] };
		p->read_failures += failures[i];
		if (failures[i] > most) {
			most = failures[i];
			p->dominant_read_failure = file_names[i];
		}
	}
	p->kernel_config_dominant = p->read_failures && of_config >= p->read_failures - of_config;
}
