// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/topology_cpu.h"

#include "sys/procinfo.h"
#include "sys/sysfs.h"
#include "util/cleanup.h"

#define CPU_DIR   SYSFS_CPU "/cpu%u/"
#define CACHE_DIR CPU_DIR "cache/index%d/"

/* Folders index0, index1, ... of one CPU: no processor has more than a handful. */
#define CACHES_MAX 16

static const struct {
	const char *name;
	const char *sysfs;
} cache_types[TOPO_CACHE_TYPES] = {
	[TOPO_CACHE_DATA] = { "data", "Data" },
	[TOPO_CACHE_INSTRUCTION] = { "instruction", "Instruction" },
	[TOPO_CACHE_UNIFIED] = { "unified", "Unified" },
};

const char *topo_cache_type_name(enum topo_cache_type type)
{
	return cache_types[type].name;
}

static bool cache_type_parse(struct slice text, enum topo_cache_type *ret)
{
	for (int i = 0; i < TOPO_CACHE_TYPES; i++)
		if (slice_is(text, cache_types[i].sysfs)) {
			*ret = (enum topo_cache_type)i;
			return true;
		}
	return false;
}

/* How many there are is counted at the lowest CPU of each. */
static void count_cache(struct topology *t, const struct topo_cache *cache)
{
	struct topo_cache *c = t->caches.v;
	size_t i = 0;

	for (; i < t->caches.n; i++) {
		if (c[i].level == cache->level && c[i].type == cache->type &&
		    c[i].size_kb == cache->size_kb) {
			c[i].count++;
			return;
		}
		if (c[i].level > cache->level ||
		    (c[i].level == cache->level &&
		     (c[i].type > cache->type ||
		      (c[i].type == cache->type && c[i].size_kb > cache->size_kb))))
			break;
	}
	vec_push(&t->caches, *cache);
	c = t->caches.v;
	memmove(&c[i + 1], &c[i], (t->caches.n - 1 - i) * sizeof(*c));
	c[i] = *cache;
}

static uint64_t read_cache_size(const struct root *root, unsigned cpu, int index)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	uint64_t kb;

	/* Device trees may leave the size out. */
	if (sysfs_text(root, &text, CACHE_DIR "size", cpu, index) <= 0 ||
	    cache_size_kb(strbuf_slice(&text), &kb) < 0)
		return 0;
	return kb;
}

/* 1 read, 0 when something essential of it is missing or nonsense. */
static int read_cache(const struct root *root, unsigned cpu, int index, struct topo_cache *ret,
		      struct cpuset *ret_cpus)
{
	_cleanup_(strbuf_done) struct strbuf type = STRBUF_INIT;
	uint64_t level;

	*ret = (struct topo_cache){ .count = 1 };
	if (sysfs_u64(root, &level, CACHE_DIR "level", cpu, index) <= 0 || level < 1 ||
	    level > CACHES_MAX || sysfs_text(root, &type, CACHE_DIR "type", cpu, index) <= 0 ||
	    !cache_type_parse(strbuf_slice(&type), &ret->type) ||
	    sysfs_cpus(root, ret_cpus, CACHE_DIR "shared_cpu_list", cpu, index) <= 0)
		return 0;
	ret->level = (unsigned)level;
	ret->size_kb = read_cache_size(root, cpu, index);
	return 1;
}

static void read_caches(const struct root *root, unsigned cpu, struct topology *t,
			struct topo_cpu *self)
{
	_cleanup_(cpuset_done) struct cpuset indexes = CPUSET_INIT;
	char dir[sizeof(SYSFS_CPU) + 32];

	snprintf(dir, sizeof(dir), CPU_DIR "cache", cpu);
	if (sysfs_ids(root, dir, "index", CACHES_MAX, &indexes) <= 0)
		return;
	cpuset_for_each (&indexes, index) {
		_cleanup_(cpuset_done) struct cpuset cpus = CPUSET_INIT;
		struct topo_cache cache;

		if (read_cache(root, cpu, index, &cache, &cpus) <= 0) {
			topology_note(t, "CPU %u: cache index%d is not usable", cpu, index);
			continue;
		}
		cpuset_and(&cpus, &t->online);
		if (cpuset_next(&cpus, 0) == (int)cpu)
			count_cache(t, &cache);
		if (cache.type == TOPO_CACHE_INSTRUCTION || cache.level <= self->llc_level)
			continue;
		cpuset_done(&self->llc);
		cpuset_copy(&cpus, &self->llc);
		self->llc_level = cache.level;
		self->llc_size_kb = cache.size_kb;
	}
}

static void read_core(const struct root *root, unsigned cpu, struct topology *t,
		      struct topo_cpu *self)
{
	/* The first name came with Linux 5.3, the second is its deprecated alias. */
	static const char *const names[] = { "core_cpus_list", "thread_siblings_list" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (sysfs_cpus(root, &self->core, CPU_DIR "topology/%s", cpu, names[i]) > 0)
			return;
	topology_note(t, "CPU %u: no usable list of core siblings", cpu);
}

/* What a CPU shares with others it shares with itself; a list that denies it is not believed. */
static void check_self(struct topology *t, unsigned cpu, struct cpuset *cpus, const char *what)
{
	bool silent = cpuset_is_empty(cpus);

	cpuset_and(cpus, &t->online);
	if (silent || cpuset_has(cpus, cpu))
		return;
	topology_note(t, "CPU %u is missing from its own list of %s", cpu, what);
	cpuset_done(cpus);
}

void topo_cpu_read(const struct root *root, unsigned cpu, struct topology *t, topo_cpus *cpus)
{
	struct topo_cpu self = { .thread = { .cpu = cpu, .package = -1 } };
	int64_t package;

	read_core(root, cpu, t, &self);
	read_caches(root, cpu, t, &self);
	check_self(t, cpu, &self.core, "core siblings");
	check_self(t, cpu, &self.llc, "LLC siblings");
	if (cpuset_is_empty(&self.llc))
		self.llc_level = 0;
	if (sysfs_i64(root, &package, CPU_DIR "topology/physical_package_id", cpu) > 0 &&
	    package >= 0)
		self.thread.package = package;
	if (sysfs_u64(root, &self.thread.capacity, CPU_DIR "cpu_capacity", cpu) <= 0)
		self.thread.capacity = 0;
	if (sysfs_u64(root, &self.thread.max_khz, CPU_DIR "cpufreq/cpuinfo_max_freq", cpu) <= 0)
		self.thread.max_khz = 0;
	vec_push(cpus, self);
}

void topo_cpus_done(topo_cpus *cpus)
{
	for (size_t i = 0; i < cpus->n; i++) {
		cpuset_done(&cpus->v[i].core);
		cpuset_done(&cpus->v[i].llc);
	}
	vec_done(cpus);
}
