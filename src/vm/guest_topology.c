// SPDX-License-Identifier: GPL-2.0-only
#include "vm/guest_topology.h"

#include <errno.h>

#include "record/ready.h"
#include "util/cleanup.h"

/* Ids are the guest's own; which CPUs share one is what counts. */
static size_t distinct(const struct ready_list *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->ids.n; i++) {
		size_t j = 0;

		while (list->ids.v[j] != list->ids.v[i])
			j++;
		n += j == i;
	}
	return n;
}

static int check_counts(const struct machine *m, const struct ready_topology *t, struct err *err)
{
	const struct {
		const char *what;
		size_t asked, shown;
	} rows[] = {
		{ "CPUs", machine_cpus(m), t->cpu.ids.n },
		{ "NUMA nodes", m->nodes, t->nodes.ids.n },
		{ "last-level caches", m->llcs, distinct(&t->llc) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].asked != rows[i].shown)
			return err_set(err, -ERANGE, "asked for %zu %s, the guest shows %zu",
				       rows[i].asked, rows[i].what, rows[i].shown);
	return 0;
}

static unsigned node_of_llc(const struct machine *m, unsigned llc)
{
	unsigned end = 0;

	for (unsigned i = 0; i < m->nodes; i++) {
		end += m->node[i].llcs;
		if (llc < end)
			return i;
	}
	return m->nodes;
}

/* CPU ids go by LLC, then core, then thread. */
struct place {
	unsigned llc, core, node;
};

static struct place place_of(const struct machine *m, uint32_t cpu)
{
	unsigned llc = cpu / (m->cores * m->threads);

	return (struct place){ llc, cpu / m->threads, node_of_llc(m, llc) };
}

static int compare(const char *what, uint32_t a, uint32_t b, bool asked, bool shown,
		   struct err *err)
{
	if (asked == shown)
		return 0;
	return err_set(err, -ERANGE, "CPUs %u and %u %s one %s, asked for was that they %s", a, b,
		       shown ? "share" : "do not share", what, asked ? "do" : "do not");
}

/* Neighbours suffice: every unit holds a contiguous range. */
static int check_sharing(const struct machine *m, const struct ready_topology *t, struct err *err)
{
	for (size_t i = 1; i < t->cpu.ids.n; i++) {
		uint32_t a = t->cpu.ids.v[i - 1], b = t->cpu.ids.v[i];
		struct place p = place_of(m, a), q = place_of(m, b);
		int r = compare("node", a, b, p.node == q.node,
				t->node.ids.v[i - 1] == t->node.ids.v[i], err);

		if (r == 0)
			r = compare("last-level cache", a, b, p.llc == q.llc,
				    t->llc.ids.v[i - 1] == t->llc.ids.v[i], err);
		if (r == 0)
			r = compare("core", a, b, p.core == q.core,
				    t->core.ids.v[i - 1] == t->core.ids.v[i], err);
		if (r < 0)
			return r;
	}
	return 0;
}

static int check_ids(const struct ready_topology *t, struct err *err)
{
	for (size_t i = 0; i < t->cpu.ids.n; i++)
		if (t->cpu.ids.v[i] != i)
			return err_set(err, -ERANGE, "CPU %zu of the guest has the id %u", i,
				       t->cpu.ids.v[i]);
	return 0;
}

int guest_topology_check(const struct machine *m, struct slice text, struct err *err)
{
	_cleanup_(ready_done) struct ready ready = READY_INIT;
	int r = ready_read(text, &ready, err);

	if (r < 0)
		return err_prefix(err, -EPROTO, "what the guest says of itself");
	if (ready.protocol != READY_PROTOCOL)
		return err_set(err, -EPROTO, "the guest speaks version %u of the protocol, we %u",
			       ready.protocol, READY_PROTOCOL);
	r = check_counts(m, &ready.topology, err);
	if (r == 0)
		r = check_ids(&ready.topology, err);
	return r < 0 ? r : check_sharing(m, &ready.topology, err);
}
