// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "sys/numa.h"
#include "util/cleanup.h"
#include "util/parse.h"

static void json_key_id(struct json_writer *w, unsigned id)
{
	char key[16];

	snprintf(key, sizeof(key), "%u", id);
	json_key(w, key);
}

void numa_json_distances(const struct numa *numa, const struct numa_node *node,
			 struct json_writer *w)
{
	json_begin_object(w);
	for (size_t i = 0; i < node->distances.n; i++) {
		json_key_id(w, numa->nodes.v[i].id);
		json_u64(w, node->distances.v[i]);
	}
	json_end_object(w);
}

void numa_json(const struct numa *numa, struct json_writer *w)
{
	json_begin_object(w);
	for (size_t i = 0; i < numa->nodes.n; i++) {
		const struct numa_node *node = &numa->nodes.v[i];

		json_key_id(w, node->id);
		json_begin_object(w);
		if (!node->cpus_absent) {
			json_key(w, "cpus");
			json_cpus(w, &node->cpus);
		}
		if (!node->memory_absent) {
			json_key(w, "memory_kb");
			json_u64(w, node->memory_kb);
		}
		if (!node->distances_absent) {
			json_key(w, "distances");
			numa_json_distances(numa, node, w);
		}
		json_end_object(w);
	}
	json_end_object(w);
}

/* Nodes are few, so a set cannot become large for a short text. */
static int read_cpus(struct json_reader *r, struct cpuset *cpus)
{
	if (json_enter_array(r) < 0)
		return r->error;
	while (json_next_element(r) > 0) {
		uint32_t id;

		if (json_read_u32(r, &id) < 0)
			break;
		if (id >= CPUSET_MAX)
			return json_fail(r, -ERANGE, "CPU %" PRIu32 " is past the last one, %u", id,
					 CPUSET_MAX - 1);
		cpuset_add(cpus, id);
	}
	return r->error;
}

static int read_distances(struct json_reader *r, struct numa_node *node)
{
	struct slice key;

	if (json_enter_object(r) < 0)
		return r->error;
	while (json_next_key(r, &key) > 0) {
		uint32_t distance;

		if (node->distances.n == NUMA_NODES_MAX)
			return json_fail(r, -E2BIG, "more than %u distances", NUMA_NODES_MAX);
		if (json_read_u32(r, &distance) < 0)
			break;
		vec_push(&node->distances, distance);
	}
	return r->error;
}

static int read_node_member(struct json_reader *r, struct slice key, struct numa_node *node)
{
	if (slice_is(key, "cpus") && node->cpus_absent) {
		node->cpus_absent = ABSENCE_NONE;
		return read_cpus(r, &node->cpus);
	}
	if (slice_is(key, "memory_kb")) {
		node->memory_absent = ABSENCE_NONE;
		return json_read_u64(r, &node->memory_kb);
	}
	if (slice_is(key, "distances") && node->distances_absent) {
		node->distances_absent = ABSENCE_NONE;
		return read_distances(r, node);
	}
	return json_skip(r);
}

static int read_node(struct json_reader *r, struct numa_node *node)
{
	struct slice key;

	if (json_enter_object(r) < 0)
		return r->error;
	while (json_next_key(r, &key) > 0)
		if (read_node_member(r, key, node) < 0)
			break;
	return r->error;
}

static int push_node(struct json_reader *r, struct slice key, struct numa *numa)
{
	struct numa_node node = { .cpus_absent = ABSENCE_ERROR,
				  .memory_absent = ABSENCE_ERROR,
				  .distances_absent = ABSENCE_ERROR };
	uint32_t id;

	if (parse_u32(key, 0, NUMA_NODES_MAX - 1, &id) < 0)
		return json_fail(r, -ERANGE, "expected the number of a node, at most %u",
				 NUMA_NODES_MAX - 1);
	if (numa->nodes.n && numa->nodes.v[numa->nodes.n - 1].id >= id)
		return json_fail(r, -EBADMSG, "nodes do not ascend");
	node.id = id;
	vec_push(&numa->nodes, node);
	return 0;
}

int numa_json_read(struct json_reader *r, struct numa *ret)
{
	struct slice key;

	*ret = (struct numa){};
	if (json_enter_object(r) < 0)
		return r->error;
	while (json_next_key(r, &key) > 0)
		if (push_node(r, key, ret) < 0 || read_node(r, &ret->nodes.v[ret->nodes.n - 1]) < 0)
			break;
	/* One per node, or they mean nothing. */
	for (size_t i = 0; i < ret->nodes.n; i++)
		if (ret->nodes.v[i].distances.n != ret->nodes.n) {
			vec_done(&ret->nodes.v[i].distances);
			if (!ret->nodes.v[i].distances_absent)
				ret->nodes.v[i].distances_absent = ABSENCE_ERROR;
		}
	return r->error;
}

void numa_explain(struct numa *numa, struct slice what, enum absence why)
{
	struct slice id;

	if (!slice_cut(&what, '.', &id))
		return;
	for (size_t i = 0; i < numa->nodes.n; i++) {
		struct numa_node *node = &numa->nodes.v[i];
		char name[16];

		snprintf(name, sizeof(name), "%u", node->id);
		if (!slice_is(id, name))
			continue;
		if (slice_is(what, "cpus"))
			node->cpus_absent = why;
		else if (slice_is(what, "memory_kb"))
			node->memory_absent = why;
		else if (slice_is(what, "distances"))
			node->distances_absent = why;
	}
}
