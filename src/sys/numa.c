// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/numa.h"

#include <errno.h>
#include <stdio.h>

#include "sys/procinfo.h"
#include "sys/sysfs.h"
#include "util/cleanup.h"
#include "util/parse.h"

static int read_memory(const struct root *root, struct numa_node *node)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	int r = sysfs_text(root, &text, SYSFS_NODE "/node%u/meminfo", node->id);

	return r <= 0 ? r : meminfo_u64(strbuf_slice(&text), "MemTotal", &node->memory_kb);
}

/* One number per node that is online; another count is worth nothing. */
static int read_distances(const struct root *root, size_t n_nodes, struct numa_node *node)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	int r = sysfs_text(root, &text, SYSFS_NODE "/node%u/distance", node->id);
	struct slice rest, word;

	if (r <= 0)
		return r;
	rest = strbuf_slice(&text);
	while (slice_word(&rest, &word)) {
		uint32_t d;

		if (node->distances.n == n_nodes || parse_u32(word, 0, UINT32_MAX, &d) < 0)
			return -EINVAL;
		vec_push(&node->distances, d);
	}
	return node->distances.n == n_nodes ? 1 : -EINVAL;
}

int numa_read(const struct root *root, struct numa *ret)
{
	_cleanup_(cpuset_done) struct cpuset ids = CPUSET_INIT;
	size_t n_nodes;
	int r = sysfs_ids(root, SYSFS_NODE, "node", NUMA_NODES_MAX, &ids);

	*ret = (struct numa){};
	if (r <= 0)
		return r;
	n_nodes = cpuset_count(&ids);
	cpuset_for_each (&ids, id) {
		struct numa_node node = { .id = (unsigned)id };

		node.cpus_absent =
			absence_of(sysfs_cpus(root, &node.cpus, SYSFS_NODE "/node%d/cpulist", id));
		node.memory_absent = absence_of(read_memory(root, &node));
		node.distances_absent = absence_of(read_distances(root, n_nodes, &node));
		if (node.distances_absent)
			vec_done(&node.distances);
		vec_push(&ret->nodes, node);
	}
	return n_nodes > 0;
}

void numa_done(struct numa *numa)
{
	for (size_t i = 0; i < numa->nodes.n; i++) {
		cpuset_done(&numa->nodes.v[i].cpus);
		vec_done(&numa->nodes.v[i].distances);
	}
	vec_done(&numa->nodes);
}
