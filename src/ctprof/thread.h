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

#include "sys/keyed.h"

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
#define READING(id, ...) READING_##id,
#include "ctprof/readings.def"
#undef READING
	READING_COUNT
};

#define KIND(id, name, ...) typedef struct m_##name kind_##id;
#include "ctprof/kinds.def"
#undef KIND

#define STATE_UNKNOWN '~' /* sorts behind every letter of the kernel */

struct thread {
#define IDENTITY(type, name, reading) type name;
#define FIELD(kind, name, reading)    kind_##kind name;
#include "ctprof/thread.def"
#undef IDENTITY
#undef FIELD
	/* What could not be read, and why: an enum absence for each enum reading. Its members are
	 * zero, "", empty or STATE_UNKNOWN, but for what was found beside what is missing. */
	uint8_t absent[READING_COUNT];
	const char *heap_layout; /* how the heap counters were found; NULL: they were not */
};

#endif
