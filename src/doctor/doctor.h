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
#define PROBE(id, area, function, arg, title, gives) PROBE_##id,
#include "doctor/probes.def"
#undef PROBE
	PROBE_COUNT
};

struct doctor_probe {
	const char *id;
	enum doctor_area area;
	void (*run)(const struct doctor_env *env, const char *arg, struct finding *finding);
	const char *arg;
	const char *title;
	const char *gives;
};

extern const struct doctor_probe doctor_probes[PROBE_COUNT];

/* Judges one thing; @finding is initialised and empty. */
void doctor_examine(const struct doctor_env *env, enum doctor_probe_id id, struct finding *finding);

/* Columns of the view, all text. */
enum doctor_column {
	DOCTOR_COLUMN_AREA,
	DOCTOR_COLUMN_ID,
	DOCTOR_COLUMN_NAME,
	DOCTOR_COLUMN_STATE,
	DOCTOR_COLUMN_WHY,
	DOCTOR_COLUMN_FIX, /* commands, one a line; "" when none helps */
	DOCTOR_COLUMN_GIVES,
	DOCTOR_COLUMN_COUNT
};

/* One row per probe. @view is initialised here. */
void doctor_view(const struct doctor_env *env, struct view *view);

#endif
