/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The metrics of ctprof as data: what each is, how the threads of a group fold into one value, what
 * the kernel needs for it. All tables expand from the .def lists of this room.
 */
#ifndef CTPROF_REGISTRY_H
#define CTPROF_REGISTRY_H

#include "ctprof/thread.h"
#include "util/units.h"

enum metric_family {
	FAMILY_COUNTER,
	FAMILY_EXTREMUM,
	FAMILY_GAUGE,
	FAMILY_CATEGORICAL,
	FAMILY_COUNT
};

/* Legal pairs of a kind and a rule; any other pair has no name. */
enum metric_pair {
#define PAIR(kind, rule, name) PAIR_##kind##_##rule,
#include "ctprof/pairs.def"
#undef PAIR
	PAIR_COUNT
};

enum section {
#define SECTION(id, ...) SECTION_##id,
#include "ctprof/sections.def"
#undef SECTION
	SECTION_COUNT
};

enum metric_class {
#define CLASS(id, ...) CLASS_##id,
#include "ctprof/tags.def"
#undef CLASS
	CLASS_COUNT
};

enum metric_gate {
#define KGATE(id, ...) GATE_##id,
#include "ctprof/tags.def"
#undef KGATE
	GATE_COUNT
};

#define METRIC_GATES 2

/* The column `gates` of metrics.def, in the order in which tags are shown. */
#define NO_GATE                                                                                    \
	{                                                                                          \
		GATE_NONE                                                                          \
	}
#define GATE(a)                                                                                    \
	{                                                                                          \
		GATE_##a                                                                           \
	}
#define GATES(a, b)                                                                                \
	{                                                                                          \
		GATE_##a, GATE_##b                                                                 \
	}

enum metric_id {
#define METRIC(kind, rule, member, ...) METRIC_##member,
#include "ctprof/metrics.def"
#undef METRIC
	METRIC_COUNT
};

struct metric {
	const char *name;
	enum metric_kind kind;
	enum metric_pair pair;
	enum section section;
	enum metric_class class;
	enum metric_gate gates[METRIC_GATES]; /* GATE_NONE where there are fewer */
	enum reading reading;
	size_t offset; /* in struct thread; thread_count has none and counts 1 a thread */
	const char *description;
	const char *kernel_source;
};

enum formula {
	FORMULA_QUOTIENT,
	FORMULA_SHARE,
	FORMULA_DIFFERENCE,
	FORMULA_OFFCPU,
};

enum derived_unit {
	UNIT_RATIO,
	UNIT_NS,
	UNIT_BYTES,
	UNIT_COUNT
};

enum derived_id {
#define DERIVED(name, ...) DERIVED_##name,
#include "ctprof/derived.def"
#undef DERIVED
	DERIVED_COUNT
};

#define DERIVED_INPUTS 8

struct derived {
	const char *name;
	enum section section;
	enum derived_unit unit;
	enum formula formula;
	enum metric_id inputs[DERIVED_INPUTS];
	size_t n_inputs;
	const char *description;
};

struct section_info {
	const char *name;
	const char *heading;
	bool needs_cgroups;
	const char *description;
};

struct tag {
	const char *name;
	const char *meaning;
};

extern const struct metric metrics[METRIC_COUNT];
extern const struct derived derived_metrics[DERIVED_COUNT];
extern const struct section_info sections[SECTION_COUNT];
extern const struct tag class_tags[CLASS_COUNT];
extern const struct tag gate_tags[GATE_COUNT];

/* Where a reading comes from: "/proc/TID/stat"; "" for READING_NONE. */
const char *reading_source(enum reading reading);

/* Its name in snapshot files: "schedstat"; "" for READING_NONE. */
const char *reading_name(enum reading reading);

const char *pair_name(enum metric_pair pair);
enum ladder kind_ladder(enum metric_kind kind);
enum metric_family kind_family(enum metric_kind kind);
const char *family_name(enum metric_family family);
const char *derived_unit_name(enum derived_unit unit);

#endif
