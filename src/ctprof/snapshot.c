// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/snapshot.h"

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
