// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/topology.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sys/procinfo.h"
#include "sys/sysfs.h"
#include "sys/topology_cpu.h"
#include "util/cleanup.h"

#define NOTES_MAX 16

void topology_note(struct topology *t, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (t->notes.n == NOTES_MAX) {
		t->notes_left_out++;
		return;
	}
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	strv_add(&t->notes, text);
}

/* One of the masks; what cannot be read stays empty and is noted. 1, 0 not there, -errno. */
static int read_mask(const struct root *root, const char *name, struct topology *t,
		     struct cpuset *ret)
{
	struct cpuset beyond = CPUSET_INIT;
	int r = sysfs_cpus(root, ret, SYSFS_CPU "/%s", name);

	if (r <= 0) {
		topology_note(t, "no usable list of %s CPUs: %s", name,
			      absence_words(absence_of(r)));
		return r;
	}
	cpuset_for_each (ret, cpu)
		if ((unsigned)cpu >= TOPOLOGY_CPUS_MAX)
			cpuset_add(&beyond, (unsigned)cpu);
	if (!cpuset_is_empty(&beyond))
		topology_note(t, "CPU ids from %u on in the list of %s CPUs are left out",
			      TOPOLOGY_CPUS_MAX, name);
	cpuset_andnot(ret, &beyond);
	cpuset_done(&beyond);
	return 1;
}

/* Without the list, a CPU that has a topology folder is online: the kernel removes it otherwise. */
static void guess_online(const struct root *root, const struct cpuset *dirs, struct topology *t)
{
	cpuset_for_each (dirs, cpu)
		if (sysfs_exists(root, SYSFS_CPU "/cpu%d/topology", cpu))
			cpuset_add(&t->online, (unsigned)cpu);
}

/* Returns how the list of online CPUs was read, as read_mask() does. */
static int read_masks(const struct root *root, const struct cpuset *dirs, struct topology *t)
{
	int r = read_mask(root, "online", t, &t->online);

	if (r <= 0)
		guess_online(root, dirs, t);
	if (read_mask(root, "present", t, &t->present) <= 0)
		cpuset_or(&t->present, dirs);
	if (!cpuset_subset(&t->online, &t->present)) {
		topology_note(t, "some online CPUs are not in the list of present CPUs");
		cpuset_or(&t->present, &t->online);
	}
	if (read_mask(root, "possible", t, &t->possible) <= 0)
		cpuset_or(&t->possible, &t->present);
	cpuset_or(&t->offline, &t->present);
	cpuset_andnot(&t->offline, &t->online);
	return r;
}

static const char *list_trouble(int r)
{
	if (r > 0)
		return "it names none that Linux can have";
	if (r == -EINVAL || r == -ERANGE)
		return "not a list of CPUs";
	return strerror(r == 0 ? ENOENT : -r);
}

/* @r is how the list of online CPUs was read; it counts, although other files were tried, too. */
static int fail_without_cpus(const struct root *root, int r, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;

	root_add_path(root, SYSFS_CPU "/online", &path);
	return err_set(err, -ENODATA, "'%s' gives no online CPU: %s", path.s, list_trouble(r));
}

/* A kernel without NUMA support has one node with everything in it. */
static void make_one_node(const struct root *root, struct topology *t)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct numa_node node = { .distances_absent = ABSENCE_UNSUPPORTED };
	int r = root_read(root, "proc/meminfo", ROOT_CAP_VALUE, &text);

	if (r > 0)
		r = meminfo_u64(strbuf_slice(&text), "MemTotal", &node.memory_kb);
	node.memory_absent = absence_of(r);
	cpuset_or(&node.cpus, &t->online);
	vec_push(&t->numa.nodes, node);
}

static void read_nodes(const struct root *root, struct topology *t)
{
	int r = numa_read(root, &t->numa);

	t->has_numa = r > 0;
	if (r < 0)
		topology_note(t, "no usable list of NUMA nodes: %s", absence_words(absence_of(r)));
	if (!t->has_numa)
		make_one_node(root, t);
	for (size_t i = 0; i < t->numa.nodes.n; i++)
		if (t->numa.nodes.v[i].cpus_absent)
			topology_note(t, "node %u: no usable list of its CPUs: %s",
				      t->numa.nodes.v[i].id,
				      absence_words(t->numa.nodes.v[i].cpus_absent));
}

/* A node's cpulist has online CPUs only, but its folder keeps a link to each present one. */
static void place_offline(const struct root *root, struct topology *t)
{
	for (size_t i = 0; i < t->nodes.n; i++)
		cpuset_for_each (&t->offline, cpu)
			if (!t->has_numa || sysfs_exists(root, SYSFS_NODE "/node%u/cpu%d",
							 t->numa.nodes.v[i].id, cpu))
				cpuset_add(&t->nodes.v[i].offline, (unsigned)cpu);
}

int topology_read(const struct root *root, struct topology *ret, struct err *err)
{
	_cleanup_(topology_done) struct topology t = {};
	_cleanup_(topo_cpus_done) topo_cpus cpus = {};
	_cleanup_(cpuset_done) struct cpuset dirs = CPUSET_INIT;
	int r = sysfs_ids(root, SYSFS_CPU, "cpu", TOPOLOGY_CPUS_MAX, &dirs);

	if (r < 0)
		topology_note(&t, "'" SYSFS_CPU "' cannot be listed: %s",
			      absence_words(absence_of(r)));
	r = read_masks(root, &dirs, &t);
	if (cpuset_is_empty(&t.online))
		return fail_without_cpus(root, r, err);
	cpuset_for_each (&t.online, cpu) {
		if (cpuset_has(&dirs, (unsigned)cpu)) {
			topo_cpu_read(root, (unsigned)cpu, &t, &cpus);
			continue;
		}
		topology_note(&t, "CPU %d is online but has no folder", cpu);
		vec_push(&cpus,
			 (struct topo_cpu){ .thread = { .cpu = (unsigned)cpu, .package = -1 } });
	}
	read_nodes(root, &t);
	topology_assemble(&t, &cpus);
	place_offline(root, &t);
	*ret = t;
	t = (struct topology){};
	return 0;
}

void topology_done(struct topology *t)
{
	cpuset_done(&t->possible);
	cpuset_done(&t->present);
	cpuset_done(&t->online);
	cpuset_done(&t->offline);
	numa_done(&t->numa);
	for (size_t i = 0; i < t->nodes.n; i++)
		cpuset_done(&t->nodes.v[i].offline);
	vec_done(&t->nodes);
	vec_done(&t->llcs);
	vec_done(&t->cores);
	vec_done(&t->threads);
	vec_done(&t->caches);
	strv_done(&t->notes);
}
