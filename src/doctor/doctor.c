// SPDX-License-Identifier: GPL-2.0-only
#include "doctor/doctor.h"

#include "doctor/probe.h"
#include "util/cleanup.h"

static const char *const area_names[AREA_COUNT] = {
#define AREA(id, heading) [AREA_##id] = heading,
#include "doctor/areas.def"
#undef AREA
};

const struct doctor_probe doctor_probes[PROBE_COUNT] = {
#define PROBE(id, area, function, arg, title, gives)                                               \
	[PROBE_##id] = { #id, AREA_##area, probe_##function, arg, title, gives },
#include "doctor/probes.def"
#undef PROBE
};

static const struct column columns[DOCTOR_COLUMN_COUNT] = {
	[DOCTOR_COLUMN_AREA] = { .key = "area" },   [DOCTOR_COLUMN_ID] = { .key = "id" },
	[DOCTOR_COLUMN_NAME] = { .key = "name" },   [DOCTOR_COLUMN_STATE] = { .key = "state" },
	[DOCTOR_COLUMN_WHY] = { .key = "why" },     [DOCTOR_COLUMN_FIX] = { .key = "fix" },
	[DOCTOR_COLUMN_GIVES] = { .key = "gives" },
};

void doctor_examine(const struct doctor_env *env, enum doctor_probe_id id, struct finding *finding)
{
	doctor_probes[id].run(env, doctor_probes[id].arg, finding);
}

static struct cell keep(struct view *view, const char *text)
{
	return cell_text(arena_strdup(&view->arena, slice_of(text)));
}

static void add_row(struct view *view, const struct doctor_probe *probe,
		    const struct finding *finding)
{
	_cleanup_(strbuf_done) struct strbuf fix = STRBUF_INIT;
	struct cell row[DOCTOR_COLUMN_COUNT] = {
		[DOCTOR_COLUMN_AREA] = cell_text(area_names[probe->area]),
		[DOCTOR_COLUMN_ID] = cell_text(probe->id),
		[DOCTOR_COLUMN_NAME] = cell_text(probe->title),
		[DOCTOR_COLUMN_STATE] = cell_text(doctor_state_name(finding->state)),
		[DOCTOR_COLUMN_WHY] = keep(view, finding->why.s),
		[DOCTOR_COLUMN_GIVES] = cell_text(probe->gives),
	};

	for (size_t i = 0; i < finding->fix.n; i++)
		strbuf_addf(&fix, "%s%s", i ? "\n" : "", finding->fix.v[i]);
	row[DOCTOR_COLUMN_FIX] = keep(view, fix.s);
	view_row_n(view, row, DOCTOR_COLUMN_COUNT);
}

void doctor_view(const struct doctor_env *env, struct view *view)
{
	view_init(view, "probes", columns, DOCTOR_COLUMN_COUNT);
	for (enum doctor_probe_id id = 0; id < PROBE_COUNT; id++) {
		_cleanup_(finding_done) struct finding finding = FINDING_INIT;

		doctor_examine(env, id, &finding);
		add_row(view, &doctor_probes[id], &finding);
	}
}
