/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Taking a snapshot: every live thread of the host, or of one process, with its cgroups, pressure
 * and sched_ext. What cannot be read is absent with a reason; a capture fails only when there is no
 * /proc to walk or the one process asked for is not there.
 */
#ifndef CTPROF_CAPTURE_H
#define CTPROF_CAPTURE_H

#include <stdint.h>

#include "ctprof/snapshot.h"
#include "util/compiler.h"
#include "util/err.h"
#include "util/root.h"

enum capture_source {
#define SOURCE(id, name) SOURCE_##id,
#include "ctprof/sources.def"
#undef SOURCE
	SOURCE_COUNT
};

enum capture_engine {
#define ENGINE(id, name) ENGINE_##id,
#include "ctprof/engines.def"
#undef ENGINE
};

enum capture_heap {
#define HEAP(id, name) HEAP_##id,
#include "ctprof/heaps.def"
#undef HEAP
};

struct capture_options {
	/* A root that is not live is a synthetic host: no system calls about its threads, no host
	 * context, no summaries. */
	const struct root *root;
	const char *cgroup_point; /* of the v2 hierarchy below the root; NULL: as mountinfo says */
	uint32_t only_tgid;       /* 0: all processes */
	enum capture_engine engine;
	enum capture_heap heap;
	unsigned sources; /* bit per enum capture_source; `stat`, which names a thread, always
			     counts */
	unsigned jobs;    /* 0: as many as the load leaves room for */
	bool as_root;     /* who captures: for the words of what could not be read */
};

#define CAPTURE_ALL_SOURCES ((1u << SOURCE_COUNT) - 1)
#define CAPTURE_JOBS_MAX    64

static inline bool capture_wants(const struct capture_options *o, enum capture_source source)
{
	return source == SOURCE_STAT || o->sources >> source & 1;
}

/* @ret is SNAPSHOT_INIT. -ENOSYS when the engine or the heap source asked for is not there. */
_must_check_ int capture(const struct capture_options *options, struct snapshot *ret,
			 struct err *err);

/* The `closing` of snapshot_write(): adds what writing cost. @ctx is a struct capture_clock that
 * was started before writing. */
struct capture_clock {
	uint64_t wall_ns, cpu_ns;
};
struct capture_clock capture_clock_start(void);
void capture_close(struct snapshot *s, void *ctx);

#endif
