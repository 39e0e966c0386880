/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What sysfs says about one CPU, before it is put together with the others. Internal to topology.
 */
#ifndef SYS_TOPOLOGY_CPU_H
#define SYS_TOPOLOGY_CPU_H

#include "sys/topology.h"

struct topo_cpu {
	struct topo_thread thread;
	struct cpuset core; /* CPUs it says it shares its core with; empty: says nothing */
	struct cpuset llc;  /* the same of its largest cache */
	enum topo_llc_source llc_source;
	unsigned llc_level;
	uint64_t llc_size_kb;
	/* Filled in by topology_assemble(). */
	size_t node;
	unsigned llc_group, core_group;
};

typedef VEC(struct topo_cpu) topo_cpus;

/* Adds what it says about CPU @cpu to @cpus and its caches to @t. */
void topo_cpu_read(const struct root *root, unsigned cpu, struct topology *t, topo_cpus *cpus);
void topo_cpus_done(topo_cpus *cpus);

/* Groups @cpus (ascending ids, exactly the online ones) and fills nodes, llcs, cores and threads of
 * @t, whose masks and numa nodes (at least one) are there already. Pure. */
void topology_assemble(struct topology *t, topo_cpus *cpus);

/* Remembers the first few. */
void topology_note(struct topology *t, const char *fmt, ...) _printf_(2, 3);

#endif
