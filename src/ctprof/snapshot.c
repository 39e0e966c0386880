// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/snapshot.h"

#include <stdlib.h>
#include <string.h>

void snapshot_done(struct snapshot *s)
{
	if (s->host)
		hostctx_done(s->host);
	vec_done(&s->threads);
	vec_done(&s->cgroups);
	vec_done(&s->capture.phases);
	vec_done(&s->absence);
	vec_done(&s->cgroups_absent);
	arena_done(&s->arena);
	*s = (struct snapshot)SNAPSHOT_INIT;
}

size_t snapshot_processes(const struct snapshot *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->threads.n; i++)
		n += i == 0 || s->threads.v[i].tgid != s->threads.v[i - 1].tgid;
	return n;
}

int snapshot_compare_absence(const struct snapshot_absence *a, const struct snapshot_absence *b)
{
	int order = strcmp(a->source, b->source);

	return order ? order : (a->reason > b->reason) - (a->reason < b->reason);
}

static int compare(const void *a, const void *b)
{
	return snapshot_compare_absence(a, b);
}

void snapshot_sort_absence(struct snapshot *s)
{
	if (s->absence.n)
		qsort(s->absence.v, s->absence.n, sizeof(*s->absence.v), compare);
}

enum absence snapshot_cgroup_absence(const struct snapshot_cgroup_absent *absent)
{
	static const struct {
		const char *reason;
		enum absence why;
	} rows[] = {
		{ "deleted", ABSENCE_ENDED },
		{ "outside namespace", ABSENCE_PERMISSION },
		{ "not mounted", ABSENCE_UNSUPPORTED },
#define ABSENCE(id, name, words) { name, ABSENCE_##id },
#include "util/absence.def"
#undef ABSENCE
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (strcmp(rows[i].reason, absent->reason) == 0)
			return rows[i].why;
	return ABSENCE_ERROR;
}
