// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/hostctx.h"

#include <errno.h>
#include <stddef.h>
#include <sys/utsname.h>

#include "sys/procinfo.h"
#include "sys/sysfs.h"
#include "util/cleanup.h"

#define SYSCTL "proc/sys/kernel"
#define THP    "sys/kernel/mm/transparent_hugepage"

const struct host_member host_members[HOST_COUNT] = {
#define HOST(kind, member, line, ...)                                                              \
	[HOST_##member] = { .name = #member,                                                       \
			    .type = HOST_TYPE_##kind,                                              \
			    .offset = offsetof(struct hostctx, member),                            \
			    __VA_ARGS__ },
#include "sys/hostctx.def"
#undef HOST
};

/* Two members on one line are a compiler warning (overridden initialiser). */
const enum host_member_id host_lines[HOST_COUNT] = {
#define HOST(kind, member, line, ...) [line] = HOST_##member,
#include "sys/hostctx.def"
#undef HOST
};

static struct host_text keep_text(struct hostctx *host, int r, struct slice value)
{
	return (struct host_text){ absence_of(r), r > 0 ? arena_strdup(&host->arena, value) : "" };
}

static struct host_text read_text(const struct root *root, const char *path, struct hostctx *host)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	int r = root_read_text(root, path, &text);

	return keep_text(host, r, strbuf_slice(&text));
}

static void read_kernel(const struct root *root, struct hostctx *host)
{
	struct utsname self;

	host->kernel_name = read_text(root, SYSCTL "/ostype", host);
	host->kernel_release = read_text(root, SYSCTL "/osrelease", host);
	host->kernel_cmdline = read_text(root, "proc/cmdline", host);
	host->arch = read_text(root, SYSCTL "/arch", host);
	/* The file came with Linux 6.1. */
	if (host->arch.absent && root->live && uname(&self) == 0)
		host->arch = keep_text(host, 1, slice_of(self.machine));
	host->thp_enabled = read_text(root, THP "/enabled", host);
	host->thp_defrag = read_text(root, THP "/defrag", host);
}

static struct host_text cpuinfo_member(struct hostctx *host, int r, const struct strbuf *text,
				       const char *key)
{
	struct slice value = {};

	if (r > 0)
		r = cpuinfo_text(strbuf_slice(text), key, &value);
	return keep_text(host, r, value);
}

static void read_cpuinfo(const struct root *root, struct hostctx *host)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	int r = root_read(root, "proc/cpuinfo", ROOT_CAP_FILE, &text);

	host->cpu_model = cpuinfo_member(host, r, &text, "model name");
	host->cpu_vendor = cpuinfo_member(host, r, &text, "vendor_id");
}

static struct host_u64 meminfo_member(int r, const struct strbuf *text, const char *key)
{
	uint64_t v = 0;

	if (r > 0)
		r = meminfo_u64(strbuf_slice(text), key, &v);
	return (struct host_u64){ absence_of(r), v };
}

static void read_meminfo(const struct root *root, struct hostctx *host)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	int r = root_read(root, "proc/meminfo", ROOT_CAP_VALUE, &text);

	host->total_memory_kb = meminfo_member(r, &text, "MemTotal");
	host->hugepages_total = meminfo_member(r, &text, "HugePages_Total");
	host->hugepages_free = meminfo_member(r, &text, "HugePages_Free");
	host->hugepages_size_kb = meminfo_member(r, &text, "Hugepagesize");
}

static void add_entry(struct hostctx *host, struct host_map *map, const char *key, int r,
		      const struct strbuf *value)
{
	struct host_text kept = keep_text(host, r, strbuf_slice(value));
	struct host_entry entry = {
		.key = arena_strdup(&host->arena, slice_of(key)),
		.absent = kept.absent,
		.value = kept.s,
	};

	vec_push(&map->entries, entry);
}

/* Every regular file named sched_*: folders and empty files are none of the tunables. */
static void read_tunables(const struct root *root, struct hostctx *host)
{
	_cleanup_(strv_done) struct strv names = STRV_INIT;
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	int r = root_list(root, SYSCTL, &names);

	host->sched_tunables.absent = absence_of(r);
	for (size_t i = 0; i < names.n; i++) {
		if (!slice_starts(slice_of(names.v[i]), "sched_"))
			continue;
		strbuf_reset(&path);
		strbuf_addf(&path, SYSCTL "/%s", names.v[i]);
		r = root_read_text(root, path.s, &text);
		if (r != 0 && r != -EISDIR && r != -EMEDIUMTYPE)
			add_entry(host, &host->sched_tunables, names.v[i], r, &text);
	}
}

static void read_governors(const struct root *root, struct hostctx *host)
{
	_cleanup_(cpuset_done) struct cpuset cpus = CPUSET_INIT;
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	int r = sysfs_ids(root, SYSFS_CPU, "cpu", CPUSET_MAX, &cpus);

	/* No such folder means no governors: an empty map, as on a machine without cpufreq. */
	host->cpufreq_governor.absent = r < 0 ? absence_of(r) : ABSENCE_NONE;
	cpuset_for_each (&cpus, cpu) {
		char key[16];

		snprintf(key, sizeof(key), "%d", cpu);
		r = sysfs_text(root, &text, SYSFS_CPU "/cpu%d/cpufreq/scaling_governor", cpu);
		if (r != 0)
			add_entry(host, &host->cpufreq_governor, key, r, &text);
	}
}

/* Distinct nodes that own an online CPU, at least one: also where there is no NUMA support, some
 * node has the CPUs. */
static struct host_u64 nodes_in_use(const struct numa *numa, const struct cpuset *online)
{
	uint64_t n = 0;

	for (size_t i = 0; i < numa->nodes.n; i++) {
		struct cpuset used;

		if (numa->nodes.v[i].cpus_absent)
			return (struct host_u64){ .absent = numa->nodes.v[i].cpus_absent };
		cpuset_copy(&numa->nodes.v[i].cpus, &used);
		cpuset_and(&used, online);
		n += !cpuset_is_empty(&used);
		cpuset_done(&used);
	}
	return (struct host_u64){ .v = n > 0 ? n : 1 };
}

static void read_cpus(const struct root *root, struct hostctx *host)
{
	_cleanup_(cpuset_done) struct cpuset online = CPUSET_INIT;
	int r = sysfs_cpus(root, &online, SYSFS_CPU "/online");
	int nodes = numa_read(root, &host->numa);

	/* Some CPU reads this file: an empty list is no answer. */
	if (r > 0 && cpuset_is_empty(&online))
		r = 0;
	host->online_cpus = (struct host_u64){ absence_of(r), cpuset_count(&online) };
	host->numa_absent = absence_of(nodes);
	host->numa_nodes.absent = nodes < 0 ? absence_of(nodes) : absence_of(r);
	if (!host->numa_nodes.absent)
		host->numa_nodes = nodes_in_use(&host->numa, &online);
}

void hostctx_read(const struct root *root, struct hostctx *ret)
{
	*ret = (struct hostctx){};
	read_kernel(root, ret);
	read_cpuinfo(root, ret);
	read_meminfo(root, ret);
	read_tunables(root, ret);
	read_governors(root, ret);
	read_cpus(root, ret);
	/* Of the tool's own allocator; the C library has none to tell about. */
	ret->heap_state.absent = ABSENCE_UNSUPPORTED;
}

void hostctx_done(struct hostctx *host)
{
	vec_done(&host->sched_tunables.entries);
	vec_done(&host->cpufreq_governor.entries);
	vec_done(&host->heap_state.entries);
	numa_done(&host->numa);
	arena_done(&host->arena);
}
