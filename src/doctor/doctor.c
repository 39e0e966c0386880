// SPDX-License-Identifier: GPL-2.0-only
#include "doctor/doctor.h"

#include "doctor/probe.h"
#include "util/cleanup.h"

const char *const doctor_area_names[AREA_COUNT] = {
#define AREA(id, heading) [AREA_##id] = heading,
#include "doctor/areas.def"
#undef AREA
};

#define PROBE(id, area, call, title, gives)                                                        \
	static void run_##id(const struct doctor_env *env, struct finding *finding)                \
	{                                                                                          \
		probe_##call;                                                                      \
	}
#include "doctor/probes.def"
#undef PROBE

const struct doctor_probe doctor_probes[PROBE_COUNT] = {
#define PROBE(id, area, call, title, gives)                                                        \
	[PROBE_##id] = { #id, AREA_##area, run_##id, title, gives },
#include "doctor/probes.def"
#undef PROBE
};

static const struct column columns[] = {
	{ .key = "area" }, { .key = "id" },  { .key = "name" },  { .key = "state" },
	{ .key = "why" },  { .key = "fix" }, { .key = "gives" },
};

void doctor_examine(const struct doctor_env *env, enum doctor_probe_id id, struct finding *finding)
{
	doctor_probes[id].run(env, finding);
}

void doctor_report_init(struct doctor_report *report, const struct doctor_env *env)
{
	for (enum doctor_probe_id id = 0; id < PROBE_COUNT; id++) {
		report->findings[id] = (struct finding)FINDING_INIT;
		doctor_examine(env, id, &report->findings[id]);
	}
}

void doctor_report_done(struct doctor_report *report)
{
	for (enum doctor_probe_id id = 0; id < PROBE_COUNT; id++)
		finding_done(&report->findings[id]);
}

static struct cell keep(struct view *view, const char *text)
{
	return cell_text(arena_strdup(&view->arena, slice_of(text)));
}

void doctor_view(const struct doctor_report *report, struct view *view)
{
	view_init(view, "probes", columns, ARRAY_SIZE(columns));
	for (enum doctor_probe_id id = 0; id < PROBE_COUNT; id++) {
		_cleanup_(strbuf_done) struct strbuf fix = STRBUF_INIT;
		const struct doctor_probe *probe = &doctor_probes[id];
		const struct finding *finding = &report->findings[id];

		for (size_t i = 0; i < finding->fix.n; i++)
			strbuf_addf(&fix, "%s%s", i ? " && " : "", finding->fix.v[i]);
		view_row(view, cell_text(doctor_area_names[probe->area]), cell_text(probe->id),
			 cell_text(probe->title), cell_text(doctor_state_name(finding->state)),
			 keep(view, finding->why.s), keep(view, fix.s), cell_text(probe->gives));
	}
}
