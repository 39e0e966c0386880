/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known about one thread. Every number has a kind, and every kind is a type of its own;
 * thread.def lists the members.
 */
#ifndef CTPROF_THREAD_H
#define CTPROF_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cpuset;

enum metric_kind {
#define KIND(id, ...) KIND_##id,
#include "ctprof/kinds.def"
#undef KIND
	KIND_COUNT_
};

#define KIND(id, name, type, ...)                                                                  \
	struct m_##name {                                                                          \
		type v;                                                                            \
	};
#include "ctprof/kinds.def"
#undef KIND

enum reading {
#define READING(id, source) READING_##id,
#include "ctprof/readings.def"
#undef READING
	READING_COUNT
};

/* Sizes in kB by name, ascending; empty but for the first thread of a process. */
struct smaps_rollup {
	const struct smaps_row {
		const char *name;
		uint64_t kb;
	} * rows;
	size_t n;
};

#define KIND(id, name, ...) typedef struct m_##name kind_##id;
#include "ctprof/kinds.def"
#undef KIND

struct thread {
#define IDENTITY(type, name, reading) type name;
#define FIELD(kind, name, reading)    kind_##kind name;
#include "ctprof/thread.def"
#undef IDENTITY
#undef FIELD
};

#endif
