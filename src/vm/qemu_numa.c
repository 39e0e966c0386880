// SPDX-License-Identifier: GPL-2.0-only
#include "vm/qemu_numa.h"

#include <inttypes.h>

/* MB/s of memory next to CPUs, and of memory alone. */
#define BANDWIDTH_CPUS   51200
#define BANDWIDTH_MEMORY 20480
/* An entry of the HMAT has 16 bits; 65535 means unreachable. */
#define HMAT_ENTRY_MAX 65534u

void qemu_node_memory(const struct vm_config *config, uint64_t ret_mb[MACHINE_NODES_MAX])
{
	const struct machine *m = config->machine;
	uint64_t left = config->memory_mb;
	unsigned untold = 0;

	for (unsigned i = 0; i < MACHINE_NODES_MAX; i++) {
		uint64_t told = i < m->nodes ? m->node[i].memory_mb : 0;

		ret_mb[i] = told < left ? told : left;
		left -= ret_mb[i];
		untold += i < m->nodes && !told;
	}
	for (unsigned i = 0; i < m->nodes && untold; i++) {
		if (m->node[i].memory_mb)
			continue;
		ret_mb[i] = left / untold--;
		left -= ret_mb[i];
	}
	ret_mb[0] += left;
}

bool qemu_wants_hmat(const struct machine *m)
{
	for (unsigned i = 0; i < m->nodes; i++) {
		const struct machine_node *n = &m->node[i];

		if (!n->llcs || n->latency_ns || n->bandwidth_mbs || n->side_cache_mb)
			return true;
	}
	return false;
}

/* The node with CPUs that is nearest to @target; itself where it has some. */
static unsigned nearest_initiator(const struct machine *m, unsigned target)
{
	unsigned best = MACHINE_NODES_MAX;

	for (unsigned i = 0; i < m->nodes; i++)
		if (m->node[i].llcs &&
		    (best == MACHINE_NODES_MAX ||
		     machine_distance(m, i, target) < machine_distance(m, best, target)))
			best = i;
	return best;
}

static void add_nodes(const struct machine *m, const uint64_t mb[], struct strv *ret)
{
	bool hmat = qemu_wants_hmat(m);

	for (unsigned i = 0; i < m->nodes; i++) {
		struct strbuf node = STRBUF_INIT;

		strbuf_addf(&node, "node,nodeid=%u", i);
		if (mb[i])
			strbuf_addf(&node, ",memdev=ram%u", i);
		if (hmat)
			strbuf_addf(&node, ",initiator=%u", nearest_initiator(m, i));
		strv_add(ret, "-numa");
		strv_add(ret, node.s);
		strbuf_done(&node);
	}
}

/* LLC after LLC, as dies of packages. Where a package is one die QEMU refuses to hear of dies. */
static void add_cpus(const struct machine *m, struct strv *ret)
{
	unsigned dies = machine_package_llcs(m), llc = 0;

	for (unsigned i = 0; i < m->nodes; i++)
		for (unsigned j = 0; j < m->node[i].llcs; j++, llc++) {
			strv_add(ret, "-numa");
			if (dies > 1)
				strv_addf(ret, "cpu,node-id=%u,socket-id=%u,die-id=%u", i,
					  llc / dies, llc % dies);
			else
				strv_addf(ret, "cpu,node-id=%u,socket-id=%u", i, llc);
		}
}

static void add_distances(const struct machine *m, struct strv *ret)
{
	for (unsigned i = 0; i < m->nodes; i++)
		for (unsigned j = 0; j < m->nodes; j++) {
			if (i == j)
				continue;
			strv_add(ret, "-numa");
			strv_addf(ret, "dist,src=%u,dst=%u,val=%u", i, j,
				  machine_distance(m, i, j));
		}
}

/* From further away it takes longer, as far as an entry can say. */
static uint64_t latency_ns(const struct machine *m, unsigned from, unsigned to)
{
	unsigned nearest = machine_distance(m, nearest_initiator(m, to), to);
	uint64_t ns = (uint64_t)m->node[to].latency_ns * machine_distance(m, from, to) / nearest;

	return ns < HMAT_ENTRY_MAX ? ns : HMAT_ENTRY_MAX;
}

static uint64_t bandwidth_mbs(const struct machine *m, unsigned from, unsigned to)
{
	const struct machine_node *node = &m->node[to];
	uint64_t mbs = node->bandwidth_mbs;

	if (!mbs)
		mbs = node->llcs ? BANDWIDTH_CPUS : BANDWIDTH_MEMORY;
	mbs = mbs * machine_distance(m, nearest_initiator(m, to), to) /
	      machine_distance(m, from, to);
	return mbs ? mbs : 1;
}

/* All bandwidths are multiples of one power of two, such that the largest fits into an entry. */
static uint64_t bandwidth_unit(const struct machine *m)
{
	uint64_t most = 0, unit = 1;

	for (unsigned i = 0; i < m->nodes; i++) {
		uint64_t mbs = bandwidth_mbs(m, nearest_initiator(m, i), i);

		if (mbs > most)
			most = mbs;
	}
	while (most / unit > HMAT_ENTRY_MAX)
		unit *= 2;
	return unit;
}

static void add_hmat_pair(const struct machine *m, unsigned from, unsigned to, uint64_t unit,
			  struct strv *ret)
{
	uint64_t mbs = bandwidth_mbs(m, from, to) / unit * unit;

	if (m->node[to].latency_ns) {
		strv_add(ret, "-numa");
		strv_addf(ret,
			  "hmat-lb,initiator=%u,target=%u,hierarchy=memory,"
			  "data-type=access-latency,latency=%" PRIu64,
			  from, to, latency_ns(m, from, to));
	}
	strv_add(ret, "-numa");
	strv_addf(ret,
		  "hmat-lb,initiator=%u,target=%u,hierarchy=memory,"
		  "data-type=access-bandwidth,bandwidth=%" PRIu64 "M",
		  from, to, mbs ? mbs : unit);
}

static void add_hmat(const struct machine *m, struct strv *ret)
{
	uint64_t unit = bandwidth_unit(m);

	for (unsigned from = 0; from < m->nodes; from++)
		for (unsigned to = 0; m->node[from].llcs && to < m->nodes; to++)
			add_hmat_pair(m, from, to, unit, ret);
	for (unsigned i = 0; i < m->nodes; i++) {
		if (!m->node[i].side_cache_mb)
			continue;
		strv_add(ret, "-numa");
		strv_addf(ret,
			  "hmat-cache,node-id=%u,size=%" PRIu64 "M,level=1,"
			  "associativity=direct,policy=write-back,line=64",
			  i, m->node[i].side_cache_mb);
	}
}

void qemu_numa_args(const struct vm_config *config, const struct qemu_fds *fds, struct strv *ret)
{
	const struct machine *m = config->machine;
	uint64_t mb[MACHINE_NODES_MAX];

	qemu_node_memory(config, mb);
	for (unsigned i = 0; i < m->nodes; i++) {
		if (!mb[i])
			continue;
		strv_add(ret, "-object");
		strv_addf(ret,
			  "memory-backend-file,id=ram%u,size=%" PRIu64
			  "M,mem-path=/proc/self/fd/%d,share=on",
			  i, mb[i], fds->ram[i]);
	}
	if (m->nodes == 1 && !qemu_wants_hmat(m)) {
		strv_add(ret, "-machine");
		strv_add(ret, "memory-backend=ram0");
		return;
	}
	add_nodes(m, mb, ret);
	add_cpus(m, ret);
	add_distances(m, ret);
	if (qemu_wants_hmat(m))
		add_hmat(m, ret);
}
