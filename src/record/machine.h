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

struct machine_node {
	unsigned llcs;          /* 0: a node that only has memory */
	uint64_t memory_mb;     /* 0: an equal share of what is left */
	uint32_t latency_ns;    /* 0: not told */
	uint32_t bandwidth_mbs; /* 0: 51200, for a node with memory only 20480 */
	uint64_t side_cache_mb; /* memory-side cache; 0: none */
};

struct machine {
	unsigned nodes, llcs, cores,
		threads; /* llcs of all nodes; cores of an LLC; threads of a core */
	struct machine_node node[MACHINE_NODES_MAX];
	bool has_distances;
	uint8_t distance[MACHINE_NODES_MAX]
			[MACHINE_NODES_MAX]; /* else 10 to itself, 20 to others */
};

static inline unsigned machine_cpus(const struct machine *m)
{
	return m->llcs * m->cores * m->threads;
}

/* The name of a preset, "n,l,c,t" or "1n2l4c2t": 0; -EINVAL with what is wrong and, for a name, the
 * nearest preset. Every node gets the same number of LLCs. */
_must_check_ int machine_parse(const char *text, struct machine *ret, struct err *err);

/* What is wrong with a machine that was put together by hand: 0 or -EINVAL. Counts are positive and
 * within the limits; the LLCs of the nodes add up; distances are 10 on the diagonal, above 10
 * elsewhere and symmetric. */
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

/* The highest APIC id, with each level rounded up to a power of two: above 255 a VM needs what only
 * KVM has. */
unsigned machine_max_apic_id(const struct machine *m);

/* Guest memory in MiB: what the topology and the caller ask for, and at least what it takes to
 * unpack the initramfs. */
struct machine_memory {
	uint64_t asked_mb;     /* 0: as the topology needs */
	uint64_t initramfs_mb; /* unpacked, rounded up */
	uint64_t initramfs_packed_mb;
	uint64_t kernel_init_mb; /* init_size of the kernel image */
};
uint64_t machine_memory_mb(const struct machine *m, const struct machine_memory *needs);

#endif
