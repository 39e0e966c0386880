// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whatever CPUs claim about each other, every online CPU stands in exactly one place and children
 * are where their parents say. Input: the number of nodes, then records of id, package, core mask,
 * LLC mask, node mask, one byte each.
 */
#include <stdint.h>
#include <stdlib.h>

#include "cli/topo_picture.h"
#include "sys/topology_cpu.h"
#include "util/cleanup.h"

#define RECORD 5

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add_mask(struct cpuset *set, unsigned first, uint8_t mask)
{
	for (unsigned bit = 0; bit < 8; bit++)
		if (mask >> bit & 1)
			cpuset_add(set, first + bit);
}

static void check(const struct topology *t, size_t n_cpus)
{
	struct cpuset seen = CPUSET_INIT;
	size_t llcs = 0, cores = 0, threads = 0;

	for (size_t n = 0; n < t->nodes.n; n++) {
		if (t->nodes.v[n].first != llcs)
			abort();
		llcs += t->nodes.v[n].n;
	}
	for (size_t l = 0; l < t->llcs.n; l++) {
		if (t->llcs.v[l].first != cores || !t->llcs.v[l].n || t->llcs.v[l].id >= t->n_llcs)
			abort();
		cores += t->llcs.v[l].n;
	}
	for (size_t c = 0; c < t->cores.n; c++) {
		if (t->cores.v[c].first != threads || !t->cores.v[c].n ||
		    t->cores.v[c].id >= t->n_cores)
			abort();
		threads += t->cores.v[c].n;
	}
	for (size_t i = 0; i < t->threads.n; i++)
		cpuset_add(&seen, t->threads.v[i].cpu);
	if (llcs != t->llcs.n || cores != t->cores.n || threads != t->threads.n ||
	    threads != n_cpus || cpuset_count(&seen) != n_cpus)
		abort();
	cpuset_done(&seen);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(topology_done) struct topology t = {};
	_cleanup_(topo_cpus_done) topo_cpus cpus = {};
	struct block picture = {};
	unsigned id = 0, n_nodes = size ? 1 + data[0] % 8u : 1;

	for (unsigned n = 0; n < n_nodes; n++)
		vec_push(&t.numa.nodes, (struct numa_node){ .id = n });
	for (size_t at = 1; at + RECORD <= size; at += RECORD) {
		struct topo_cpu cpu = { .thread.package = (int8_t)data[at + 1] % 4 };

		id += 1 + data[at] % 4;
		cpu.thread.cpu = id;
		cpu.thread.capacity = data[at + 1] / 64;
		add_mask(&cpu.core, id - id % 8, data[at + 2]);
		add_mask(&cpu.llc, id - id % 8, data[at + 3]);
		for (unsigned n = 0; n < n_nodes; n++)
			if (data[at + 4] >> n & 1)
				cpuset_add(&t.numa.nodes.v[n].cpus, id);
		cpuset_add(&t.online, id);
		vec_push(&cpus, cpu);
	}
	/* The reader hands over online CPUs only. */
	for (size_t i = 0; i < cpus.n; i++) {
		cpuset_and(&cpus.v[i].core, &t.online);
		cpuset_and(&cpus.v[i].llc, &t.online);
	}
	topology_assemble(&t, &cpus);
	check(&t, cpus.n);
	if (cpus.n > 0 && topo_picture(&t, size % 100, FRAME_ASCII, &picture))
		block_done(&picture);
	return 0;
}
