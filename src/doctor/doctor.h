/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The doctor: which of the things ktstr uses work on this machine, why the others do not, and what
 * to type. An examination changes nothing and ends in bounded time.
 */
#ifndef DOCTOR_DOCTOR_H
#define DOCTOR_DOCTOR_H

#include "doctor/env.h"
#include "doctor/finding.h"
#include "render/cell.h"

enum doctor_area {
#define AREA(id, heading) AREA_##id,
#include "doctor/areas.def"
#undef AREA
	AREA_COUNT
};

enum doctor_probe_id {
#define PROBE(id, area, call, title, gives) PROBE_##id,
#include "doctor/probes.def"
#undef PROBE
	PROBE_COUNT
};

struct doctor_probe {
	const char *id;
	enum doctor_area area;
	void (*run)(const struct doctor_env *env, struct finding *finding);
	const char *title;
	const char *gives;
};

extern const struct doctor_probe doctor_probes[PROBE_COUNT];
extern const char *const doctor_area_names[AREA_COUNT];

/* Judges one thing; @finding is initialised and empty. */
void doctor_examine(const struct doctor_env *env, enum doctor_probe_id id, struct finding *finding);

struct doctor_report {
	struct finding findings[PROBE_COUNT];
};

/* Judges everything. @report is initialised here. */
void doctor_report_init(struct doctor_report *report, const struct doctor_env *env);
void doctor_report_done(struct doctor_report *report);

/* The report as data: one row per probe, all columns text. Several commands of a fix are joined by
 * " && ". @view is initialised here. */
void doctor_view(const struct doctor_report *report, struct view *view);

#endif
