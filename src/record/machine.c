// SPDX-License-Identifier: LGPL-2.1-or-later
#include "record/machine.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>

/* Memory of a guest in MiB: per CPU, at least, of a node that was not told, and beside what the
 * initramfs takes. */
#define PER_CPU_MB  64
#define LEAST_MB    256
#define PER_NODE_MB 64
#define HEADROOM_MB 256

static int check_counts(const struct machine *m, struct err *err)
{
	uint64_t cpus = (uint64_t)m->llcs * m->cores;

	if (m->nodes < 1 || m->nodes > MACHINE_NODES_MAX)
		return err_set(err, -EINVAL, "%u nodes: a machine has 1 to %u", m->nodes,
			       MACHINE_NODES_MAX);
	if (!m->llcs || !m->cores || !m->threads)
		return err_set(err, -EINVAL,
			       "%u LLCs of %u cores of %u threads: none of them may be 0", m->llcs,
			       m->cores, m->threads);
	if (cpus > MACHINE_CPUS_MAX || cpus * m->threads > MACHINE_CPUS_MAX)
		return err_set(err, -EINVAL,
			       "%u LLCs of %u cores of %u threads: a machine has at most %u CPUs",
			       m->llcs, m->cores, m->threads, MACHINE_CPUS_MAX);
	return 0;
}

static int check_node(const struct machine_node *node, unsigned id, struct err *err)
{
	if (node->memory_mb > MACHINE_NODE_MB_MAX)
		return err_set(err, -EINVAL, "node %u: %" PRIu64 " MiB of memory: at most %u", id,
			       node->memory_mb, MACHINE_NODE_MB_MAX);
	if (node->latency_ns > MACHINE_LATENCY_NS_MAX)
		return err_set(err, -EINVAL, "node %u: latency of %" PRIu32 " ns: at most %u", id,
			       node->latency_ns, MACHINE_LATENCY_NS_MAX);
	if (node->side_cache_mb > MACHINE_NODE_MB_MAX)
		return err_set(err, -EINVAL,
			       "node %u: memory-side cache of %" PRIu64 " MiB: at most %u", id,
			       node->side_cache_mb, MACHINE_NODE_MB_MAX);
	if (node->side_cache_mb && !node->latency_ns)
		return err_set(err, -EINVAL,
			       "node %u: a memory-side cache, but no latency of the memory", id);
	return 0;
}

static int check_nodes(const struct machine *m, struct err *err)
{
	uint64_t llcs = 0;

	for (unsigned i = 0; i < m->nodes; i++) {
		int r = check_node(&m->node[i], i, err);

		if (r < 0)
			return r;
		llcs += m->node[i].llcs;
	}
	if (llcs != m->llcs)
		return err_set(err, -EINVAL, "the nodes have %" PRIu64 " LLCs, the machine %u",
			       llcs, m->llcs);
	return 0;
}

static int check_distances(const struct machine *m, struct err *err)
{
	if (!m->has_distances)
		return 0;
	for (unsigned i = 0; i < m->nodes; i++)
		for (unsigned j = 0; j < m->nodes; j++) {
			unsigned there = m->distance[i][j], back = m->distance[j][i];

			if (i == j && there != 10)
				return err_set(err, -EINVAL,
					       "distance of node %u to itself is %u, not 10", i,
					       there);
			if (i != j && there <= 10)
				return err_set(err, -EINVAL,
					       "distance from node %u to node %u is %u, not above "
					       "10",
					       i, j, there);
			if (there != back)
				return err_set(err, -EINVAL,
					       "distance from node %u to node %u is %u, back it "
					       "is %u",
					       i, j, there, back);
		}
	return 0;
}

int machine_check(const struct machine *m, struct err *err)
{
	int r = check_counts(m, err);

	if (r == 0)
		r = check_nodes(m, err);
	if (r == 0)
		r = check_distances(m, err);
	return r;
}

void machine_format(const struct machine *m, struct strbuf *out)
{
	strbuf_addf(out, "%un%ul%uc%ut", m->nodes, m->llcs, m->cores, m->threads);
}

unsigned machine_package_llcs(const struct machine *m)
{
	unsigned llcs = 0;

	for (unsigned i = 0; i < m->nodes; i++) {
		unsigned here = m->node[i].llcs;

		if (here && llcs && here != llcs)
			return 1;
		if (here)
			llcs = here;
	}
	assert(llcs); /* machine_check() */
	return llcs;
}

/* Appends one level to an id: the last of @count numbers, in the bits that all of them take. */
static unsigned add_level(unsigned id, unsigned count)
{
	unsigned bits = 0;

	while (1u << bits < count)
		bits++;
	return id << bits | (count - 1);
}

unsigned machine_max_apic_id(const struct machine *m)
{
	unsigned dies = machine_package_llcs(m), id = m->llcs / dies - 1;

	id = add_level(id, dies);
	id = add_level(id, m->cores);
	return add_level(id, m->threads);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* What nodes without CPUs bring along comes on top of what the CPUs take. */
static uint64_t topology_mb(const struct machine *m)
{
	uint64_t mb = larger(LEAST_MB, (uint64_t)machine_cpus(m) * PER_CPU_MB);

	for (unsigned i = 0; i < m->nodes; i++)
		if (!m->node[i].llcs)
			mb += m->node[i].memory_mb;
	return mb;
}

/* At least what was told of each. */
static uint64_t nodes_mb(const struct machine *m)
{
	uint64_t mb = 0;

	for (unsigned i = 0; i < m->nodes; i++)
		mb += m->node[i].memory_mb ? m->node[i].memory_mb : PER_NODE_MB;
	return mb;
}

/* x * (1 + 1/n), rounded up: without a product that could overflow. */
static uint64_t plus_part(uint64_t x, uint64_t n)
{
	return x + x / n + (x % n != 0);
}

/* A tenth of the memory stays free of the unpacked files; of all memory 1/64 describes its pages.
 */
static uint64_t initramfs_floor_mb(const struct machine_memory *needs)
{
	uint64_t content = plus_part(needs->initramfs_mb, 9) + needs->kernel_init_mb +
			   needs->initramfs_packed_mb;

	return plus_part(content, 63) + HEADROOM_MB;
}

uint64_t machine_memory_mb(const struct machine *m, const struct machine_memory *needs)
{
	uint64_t mb = larger(topology_mb(m), nodes_mb(m));

	mb = larger(mb, needs->asked_mb);
	return larger(mb, initramfs_floor_mb(needs));
}
