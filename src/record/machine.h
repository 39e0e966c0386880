/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The machine a VM shall have: NUMA nodes > last-level caches > cores > threads. Pure data; how
 * QEMU is told is src/vm's business. CPU ids go by LLC, then core, then thread, so that each LLC
 * holds a contiguous range; nodes hold contiguous ranges of LLCs.
 */
#ifndef RECORD_MACHINE_H
#define RECORD_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/compiler.h"
#include "util/err.h"
#include "util/strbuf.h"

#define MACHINE_NODES_MAX 16
#define MACHINE_CPUS_MAX  255
/* Of a node's memory and its memory-side cache: 1 TiB. */
#define MACHINE_NODE_MB_MAX (1u << 20)
/* What fits into ACPI's table of memory attributes. */
#define MACHINE_LATENCY_NS_MAX 65534u

/* Latency and bandwidth are those seen from the nearest node with CPUs. */
struct machine_node {
	unsigned llcs;          /* 0: a node that only has memory */
	uint64_t memory_mb;     /* 0: an equal share of what is left */
	uint32_t latency_ns;    /* 0: not told */
	uint32_t bandwidth_mbs; /* 0: 51200, for a node with memory only 20480 */
	uint64_t side_cache_mb; /* memory-side cache, needs a latency too; 0: none */
};

struct machine {
	unsigned nodes;
	unsigned llcs;    /* of all nodes */
	unsigned cores;   /* of an LLC */
	unsigned threads; /* of a core */
	struct machine_node node[MACHINE_NODES_MAX];
	bool has_distances;
	uint8_t distance[MACHINE_NODES_MAX][MACHINE_NODES_MAX];
};

static inline unsigned machine_cpus(const struct machine *m)
{
	return m->llcs * m->cores * m->threads;
}

/* 10 to itself and 20 to others where the machine has no distances of its own. */
static inline unsigned machine_distance(const struct machine *m, unsigned from, unsigned to)
{
	if (m->has_distances)
		return m->distance[from][to];
	return from == to ? 10 : 20;
}

/* The name of a preset, "n,l,c,t" or "1n2l4c2t": 0; -EINVAL with what is wrong and, for a name, the
 * nearest preset. Every node gets the same number of LLCs. */
_must_check_ int machine_parse(const char *text, struct machine *ret, struct err *err);

/* What is wrong with a machine that was put together by hand: 0 or -EINVAL. Counts are positive and
 * within the limits; the LLCs of the nodes add up; distances are 10 on the diagonal, above 10
 * elsewhere and symmetric. The functions below want a machine that passes. */
_must_check_ int machine_check(const struct machine *m, struct err *err);

/* Appends "1n2l4c2t". */
void machine_format(const struct machine *m, struct strbuf *out);

struct machine_preset {
	const char *name;
	unsigned nodes, llcs, cores, threads;
};

/* All 24, in the order of presets.def. */
extern const struct machine_preset machine_presets[];
extern const unsigned machine_preset_count;

/* How many LLCs share a package: those of a node where all nodes with CPUs have as many, else each
 * LLC is a package of its own, so that no package reaches into two nodes. */
unsigned machine_package_llcs(const struct machine *m);

/* The highest APIC id, with each level rounded up to a power of two: above 255 a VM needs what only
 * KVM has. */
unsigned machine_max_apic_id(const struct machine *m);

/* Guest memory in MiB: what the topology, its nodes and the caller ask for, and at least what it
 * takes to unpack the initramfs. */
struct machine_memory {
	uint64_t asked_mb;     /* 0: as the topology needs */
	uint64_t initramfs_mb; /* unpacked, rounded up */
	uint64_t initramfs_packed_mb;
	uint64_t kernel_init_mb; /* init_size of the kernel image */
};
uint64_t machine_memory_mb(const struct machine *m, const struct machine_memory *needs);

#endif
