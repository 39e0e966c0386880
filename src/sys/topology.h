/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The machine as NUMA nodes > last-level caches > cores > threads, from sysfs. Only online CPUs
 * stand in the hierarchy: the kernel describes no others.
 *
 * sysfs may be incomplete or contradict itself (containers, firmware, hand-made trees). Then the
 * CPUs that agree stay together, every online CPU stands in exactly one place, and `notes` says in
 * words what was wrong.
 */
#ifndef SYS_TOPOLOGY_H
#define SYS_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sys/numa.h"
#include "util/cpuset.h"
#include "util/err.h"
#include "util/root.h"
#include "util/strv.h"
#include "util/vec.h"
#include "json/writer.h"

/* The largest CONFIG_NR_CPUS there is; ids beyond are noted and left out. */
#define TOPOLOGY_CPUS_MAX 8192u

struct topo_thread {
	unsigned cpu;
	int64_t package;   /* -1: not known (the kernel itself says -1 on some arm64 machines) */
	uint64_t capacity; /* relative to the largest of the machine, 1024; 0: not known */
	uint64_t max_khz;  /* 0: not known */
};

/* Children of an element are n consecutive elements of the next array, starting with first. */
struct topo_core {
	unsigned id;
	size_t first, n; /* threads */
};

enum topo_llc_source {
	TOPO_LLC_CACHE,   /* the largest cache its CPUs share */
	TOPO_LLC_PACKAGE, /* no cache information: CPUs of one package and node */
};

struct topo_llc {
	unsigned id;
	enum topo_llc_source source;
	unsigned level;   /* 0 without cache information */
	uint64_t size_kb; /* 0: not known */
	size_t first, n;  /* cores */
};

struct topo_node {
	struct cpuset offline; /* present but offline CPUs known to belong here */
	size_t first, n;       /* LLCs; none for a node that only has memory */
};

enum topo_cache_type {
	TOPO_CACHE_DATA,
	TOPO_CACHE_INSTRUCTION,
	TOPO_CACHE_UNIFIED,
	TOPO_CACHE_TYPES
};

struct topo_cache {
	unsigned level;
	enum topo_cache_type type;
	uint64_t size_kb; /* 0: not known */
	unsigned count;
};

struct topology {
	struct cpuset possible, present, online;
	struct cpuset offline; /* present and not online */
	struct numa numa;      /* numa.nodes.v[i] describes nodes.v[i] */
	bool has_numa;         /* false: one node 0 stands for a kernel without NUMA support */
	VEC(struct topo_node) nodes;
	VEC(struct topo_llc) llcs;
	VEC(struct topo_core) cores;
	VEC(struct topo_thread) threads;
	/* Distinct ones. An LLC that spans nodes stands in `llcs` once per node, under one id. */
	size_t n_llcs, n_cores;
	VEC(struct topo_cache) caches; /* by level, type and size, ascending */
	struct strv notes;
	size_t notes_left_out; /* beyond the first few */
};

/* Fails only when no online CPU can be found: -ENODATA, and @err says what is wrong with the list
 * of online CPUs. @ret is written on success only. */
_must_check_ int topology_read(const struct root *root, struct topology *ret, struct err *err);
void topology_done(struct topology *t);

/* "data", "instruction", "unified" */
const char *topo_cache_type_name(enum topo_cache_type type);

/* One object as the next value of @w. */
void topology_json(const struct topology *t, struct json_writer *w);

#endif
