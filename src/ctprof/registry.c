// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/registry.h"

/* A metric and the member of the same name are of one kind: a row that says otherwise does not
 * compile. thread_count is no member. */
typedef kind_COUNT kind_of_thread_count;
#define IDENTITY(type, name, reading)
#define FIELD(kind, name, reading) typedef kind_##kind kind_of_##name;
#include "ctprof/thread.def"
#undef IDENTITY
#undef FIELD

#define METRIC(k, rule, member, ...)                                                               \
	_Static_assert(__builtin_types_compatible_p(kind_##k, kind_of_##member),                   \
		       "metrics.def and thread.def disagree about the kind of " #member);
#include "ctprof/metrics.def"
#undef METRIC

/* Where a member stands and comes from; nowhere for the one metric that is none. */
enum {
	OFFSET_thread_count = 0,
	READ_thread_count = READING_NONE,
#define IDENTITY(type, name, reading)
#define FIELD(kind, name, reading)                                                                 \
	OFFSET_##name = offsetof(struct thread, name), READ_##name = READING_##reading,
#include "ctprof/thread.def"
#undef IDENTITY
#undef FIELD
};

const struct metric metrics[] = {
#define METRIC(k, rule, member, section_, class_, gates_, text, source)                            \
	[METRIC_##member] = { .name = #member,                                                     \
			      .kind = KIND_##k,                                                    \
			      .pair = PAIR_##k##_##rule,                                           \
			      .section = SECTION_##section_,                                       \
			      .class = CLASS_##class_,                                             \
			      .gates = gates_,                                                     \
			      .reading = (enum reading)READ_##member,                              \
			      .offset = OFFSET_##member,                                           \
			      .description = text,                                                 \
			      .kernel_source = source },
#include "ctprof/metrics.def"
#undef METRIC
};

/* The id of a metric that may be computed with; peaks, gauges and settings have no association. */
#define INPUT(member)                                                                              \
	_Generic((kind_of_##member){ 0 }, kind_COUNT                                               \
		 : METRIC_##member, kind_NS                                                        \
		 : METRIC_##member, kind_BYTES                                                     \
		 : METRIC_##member)

#define QUOTIENT(a, b) .formula = FORMULA_QUOTIENT, .inputs = { INPUT(a), INPUT(b) }, .n_inputs = 2
#define SHARE(a, b)    .formula = FORMULA_SHARE, .inputs = { INPUT(a), INPUT(b) }, .n_inputs = 2
#define DIFFERENCE(a, b)                                                                           \
	.formula = FORMULA_DIFFERENCE, .inputs = { INPUT(a), INPUT(b) }, .n_inputs = 2
#define OFFCPU(a, b, c, d, e, f, overlap_1, overlap_2)                                             \
	.formula = FORMULA_OFFCPU,                                                                 \
	.inputs = { INPUT(a), INPUT(b), INPUT(c),         INPUT(d),                                \
		    INPUT(e), INPUT(f), INPUT(overlap_1), INPUT(overlap_2) },                      \
	.n_inputs = 8

const struct derived derived_metrics[] = {
#define DERIVED(name_, section_, unit_, how, text)                                                 \
	[DERIVED_##name_] = { .name = #name_,                                                      \
			      .section = SECTION_##section_,                                       \
			      .unit = UNIT_##unit_,                                                \
			      how,                                                                 \
			      .description = text },
#include "ctprof/derived.def"
#undef DERIVED
};

const struct section_info sections[] = {
#define SECTION(id, name_, heading_, cgroups, text)                                                \
	[SECTION_##id] = {                                                                         \
		.name = name_, .heading = heading_, .needs_cgroups = cgroups, .description = text  \
	},
#include "ctprof/sections.def"
#undef SECTION
};

const struct tag class_tags[] = {
#define CLASS(id, name, meaning) [CLASS_##id] = { name, meaning },
#include "ctprof/tags.def"
#undef CLASS
};

const struct tag gate_tags[] = {
#define KGATE(id, meaning) [GATE_##id] = { #id, meaning },
#include "ctprof/tags.def"
#undef KGATE
};

static const struct {
	enum ladder ladder;
	enum metric_family family;
} kinds[] = {
#define KIND(id, name, type, ladder, family) [KIND_##id] = { LADDER_##ladder, FAMILY_##family },
#include "ctprof/kinds.def"
#undef KIND
};

enum ladder kind_ladder(enum metric_kind kind)
{
	return kinds[kind].ladder;
}

enum metric_family kind_family(enum metric_kind kind)
{
	return kinds[kind].family;
}

static const struct {
	const char *name, *source;
} readings[] = {
#define READING(id, switch, name, source) [READING_##id] = { name, source },
#include "ctprof/readings.def"
#undef READING
};

const char *reading_name(enum reading reading)
{
	return readings[reading].name;
}

const char *reading_source(enum reading reading)
{
	return readings[reading].source;
}

const char *pair_name(enum metric_pair pair)
{
	static const char *const names[] = {
#define PAIR(kind, rule, name) [PAIR_##kind##_##rule] = name,
#include "ctprof/pairs.def"
#undef PAIR
	};

	return names[pair];
}

const char *family_name(enum metric_family family)
{
	static const char *const names[FAMILY_COUNT] = {
		[FAMILY_COUNTER] = "counter",
		[FAMILY_EXTREMUM] = "extremum",
		[FAMILY_GAUGE] = "gauge",
		[FAMILY_CATEGORICAL] = "categorical",
	};

	return names[family];
}

const char *derived_unit_name(enum derived_unit unit)
{
	static const char *const names[UNIT_COUNT] = {
		[UNIT_RATIO] = "ratio",
		[UNIT_NS] = "ns",
		[UNIT_BYTES] = "B",
	};

	return names[unit];
}
