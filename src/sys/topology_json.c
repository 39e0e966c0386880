// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/topology.h"

static void put_u64(struct json_writer *w, const char *key, uint64_t v)
{
	json_key(w, key);
	json_u64(w, v);
}

static void put_known(struct json_writer *w, const char *key, uint64_t v)
{
	if (v)
		put_u64(w, key, v);
}

static void put_cpus(struct json_writer *w, const char *key, const struct cpuset *cpus)
{
	json_key(w, key);
	json_cpus(w, cpus);
}

static void put_thread(struct json_writer *w, const struct topo_thread *thread)
{
	json_begin_object(w);
	put_u64(w, "cpu", thread->cpu);
	if (thread->package >= 0)
		put_u64(w, "package", (uint64_t)thread->package);
	put_known(w, "capacity", thread->capacity);
	put_known(w, "max_khz", thread->max_khz);
	json_end_object(w);
}

static void put_core(struct json_writer *w, const struct topology *t, const struct topo_core *core)
{
	json_begin_object(w);
	put_u64(w, "id", core->id);
	json_key(w, "threads");
	json_begin_array(w);
	for (size_t i = 0; i < core->n; i++)
		put_thread(w, &t->threads.v[core->first + i]);
	json_end_array(w);
	json_end_object(w);
}

static void put_llc(struct json_writer *w, const struct topology *t, const struct topo_llc *llc)
{
	json_begin_object(w);
	put_u64(w, "id", llc->id);
	json_key(w, "source");
	json_string(w, llc->source == TOPO_LLC_CACHE ? "cache" : "package");
	put_known(w, "level", llc->level);
	put_known(w, "size_kb", llc->size_kb);
	json_key(w, "cores");
	json_begin_array(w);
	for (size_t i = 0; i < llc->n; i++)
		put_core(w, t, &t->cores.v[llc->first + i]);
	json_end_array(w);
	json_end_object(w);
}

static void put_node(struct json_writer *w, const struct topology *t, size_t index)
{
	const struct topo_node *node = &t->nodes.v[index];
	const struct numa_node *numa = &t->numa.nodes.v[index];

	json_begin_object(w);
	put_u64(w, "id", numa->id);
	if (!numa->memory_absent)
		put_u64(w, "memory_kb", numa->memory_kb);
	if (!numa->distances_absent) {
		json_key(w, "distances");
		numa_json_distances(&t->numa, numa, w);
	}
	put_cpus(w, "offline", &node->offline);
	json_key(w, "llcs");
	json_begin_array(w);
	for (size_t i = 0; i < node->n; i++)
		put_llc(w, t, &t->llcs.v[node->first + i]);
	json_end_array(w);
	json_end_object(w);
}

static void put_caches(struct json_writer *w, const struct topology *t)
{
	json_key(w, "caches");
	json_begin_array(w);
	for (size_t i = 0; i < t->caches.n; i++) {
		const struct topo_cache *cache = &t->caches.v[i];

		json_begin_object(w);
		put_u64(w, "level", cache->level);
		json_key(w, "type");
		json_string(w, topo_cache_type_name(cache->type));
		put_known(w, "size_kb", cache->size_kb);
		put_u64(w, "count", cache->count);
		json_end_object(w);
	}
	json_end_array(w);
}

static void put_counts(struct json_writer *w, const struct topology *t)
{
	json_key(w, "counts");
	json_begin_object(w);
	put_u64(w, "nodes", t->nodes.n);
	put_u64(w, "llcs", t->n_llcs);
	put_u64(w, "cores", t->n_cores);
	put_u64(w, "threads", t->threads.n);
	json_end_object(w);
}

void topology_json(const struct topology *t, struct json_writer *w)
{
	json_begin_object(w);
	put_counts(w, t);
	put_cpus(w, "possible", &t->possible);
	put_cpus(w, "present", &t->present);
	put_cpus(w, "online", &t->online);
	put_cpus(w, "offline", &t->offline);
	put_caches(w, t);
	json_key(w, "nodes");
	json_begin_array(w);
	for (size_t i = 0; i < t->nodes.n; i++)
		put_node(w, t, i);
	json_end_array(w);
	json_key(w, "notes");
	json_begin_array(w);
	for (size_t i = 0; i < t->notes.n; i++)
		json_string(w, t->notes.v[i]);
	json_end_array(w);
	put_known(w, "notes_left_out", t->notes_left_out);
	json_end_object(w);
}
