/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* NUMA nodes, those without CPUs (memory expanders) and without memory included. */
#ifndef SYS_NUMA_H
#define SYS_NUMA_H

#include <stdint.h>

#include "util/absence.h"
#include "util/cpuset.h"
#include "util/root.h"
#include "util/vec.h"
#include "json/reader.h"
#include "json/writer.h"

/* The kernel's own limit (NODES_SHIFT is at most 10). */
#define NUMA_NODES_MAX 1024u

struct numa_node {
	unsigned id;
	enum absence cpus_absent;
	struct cpuset cpus; /* the online ones, as the kernel lists them */
	enum absence memory_absent;
	uint64_t memory_kb;
	enum absence distances_absent;
	VEC(unsigned) distances; /* to each node, in the order of the nodes */
};

struct numa {
	VEC(struct numa_node) nodes; /* ascending ids */
};

/* 1 with the nodes, 0 when the kernel has no NUMA support, -errno when the folder cannot be listed.
 * What cannot be read of a node is absent there. @ret is initialised in every case. */
_must_check_ int numa_read(const struct root *root, struct numa *ret);
void numa_done(struct numa *numa);

/* As the next value of @w: {"0": {"cpus": [0, 1], "memory_kb": 1, "distances": {"0": 10}}}; what is
 * absent is left out. */
void numa_json(const struct numa *numa, struct json_writer *w);

/* The next value of @r, as numa_json() writes it; what a node does not have is ABSENCE_ERROR. @ret
 * is initialised here and needs numa_done() in any case. */
_must_check_ int numa_json_read(struct json_reader *r, struct numa *ret);

/* Sets the reason of "ID.MEMBER"; what there is none of is passed over. */
void numa_explain(struct numa *numa, struct slice what, enum absence why);

/* "distances" in other documents look the same. */
void numa_json_distances(const struct numa *numa, const struct numa_node *node,
			 struct json_writer *w);

#endif
