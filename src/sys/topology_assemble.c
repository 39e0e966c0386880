// SPDX-License-Identifier: LGPL-2.1-or-later
#include <limits.h>

#include "sys/topology_cpu.h"
#include "util/alloc.h"
#include "util/cleanup.h"

#define NO_GROUP UINT_MAX

/* One of the two relations that CPUs claim: sharing a core, sharing an LLC. */
struct relation {
	const char *what;
	size_t claim; /* offset of the cpuset in struct topo_cpu */
	size_t group; /* offset of the group number */
};

static const struct relation core_relation = {
	"core",
	offsetof(struct topo_cpu, core),
	offsetof(struct topo_cpu, core_group),
};

static const struct relation llc_relation = {
	"LLC",
	offsetof(struct topo_cpu, llc),
	offsetof(struct topo_cpu, llc_group),
};

static struct cpuset *claim_of(const struct relation *rel, struct topo_cpu *cpu)
{
	return (struct cpuset *)((char *)cpu + rel->claim);
}

static unsigned *group_of(const struct relation *rel, struct topo_cpu *cpu)
{
	return (unsigned *)((char *)cpu + rel->group);
}

static struct topo_cpu *find_cpu(topo_cpus *cpus, unsigned id)
{
	size_t low = 0, high = cpus->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (cpus->v[mid].thread.cpu == id)
			return &cpus->v[mid];
		if (cpus->v[mid].thread.cpu < id)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

/* A CPU that says nothing takes the word of the first CPU that lists it. */
static void adopt_claims(const struct relation *rel, topo_cpus *cpus)
{
	for (size_t i = 0; i < cpus->n; i++) {
		struct cpuset *claim = claim_of(rel, &cpus->v[i]);

		cpuset_for_each (claim, id) {
			struct topo_cpu *other = find_cpu(cpus, (unsigned)id);

			if (!other || !cpuset_is_empty(claim_of(rel, other)))
				continue;
			cpuset_or(claim_of(rel, other), claim);
			if (rel == &llc_relation) {
				other->llc_level = cpus->v[i].llc_level;
				other->llc_size_kb = cpus->v[i].llc_size_kb;
			}
		}
	}
}

/* The lower CPU of its list that says the same, or NULL. */
static struct topo_cpu *find_peer(const struct relation *rel, topo_cpus *cpus,
				  struct topo_cpu *self)
{
	cpuset_for_each (claim_of(rel, self), id) {
		struct topo_cpu *other = find_cpu(cpus, (unsigned)id);

		if (other >= self)
			break;
		if (other && cpuset_equal(claim_of(rel, other), claim_of(rel, self)))
			return other;
	}
	return NULL;
}

/* CPUs that make the same claim and name each other form a group. A group smaller than its claim
 * was contradicted by somebody. */
static void group_cpus(struct topology *t, const struct relation *rel, topo_cpus *cpus)
{
	_cleanup_free_ size_t *sizes = xcalloc(cpus->n + 1, sizeof(*sizes));
	_cleanup_free_ size_t *founders = xcalloc(cpus->n + 1, sizeof(*founders));
	unsigned n = 0;

	for (size_t i = 0; i < cpus->n; i++) {
		struct topo_cpu *self = &cpus->v[i], *peer;

		if (cpuset_is_empty(claim_of(rel, self)))
			cpuset_add(claim_of(rel, self), self->thread.cpu);
		peer = find_peer(rel, cpus, self);
		if (!peer)
			founders[n] = i;
		*group_of(rel, self) = peer ? *group_of(rel, peer) : n++;
		sizes[*group_of(rel, self)]++;
	}
	for (unsigned g = 0; g < n; g++) {
		struct topo_cpu *founder = &cpus->v[founders[g]];
		struct strbuf list = STRBUF_INIT;

		if (sizes[g] == cpuset_count(claim_of(rel, founder)))
			continue;
		cpuset_format(claim_of(rel, founder), &list);
		topology_note(t,
			      "CPU %u claims to share its %s with CPUs %s, not all of which agree",
			      founder->thread.cpu, rel->what, list.s);
		strbuf_done(&list);
	}
}

static void find_nodes(struct topology *t, topo_cpus *cpus)
{
	for (size_t i = 0; i < cpus->n; i++) {
		unsigned cpu = cpus->v[i].thread.cpu;
		size_t found = SIZE_MAX;

		for (size_t n = 0; n < t->numa.nodes.n; n++) {
			if (!cpuset_has(&t->numa.nodes.v[n].cpus, cpu))
				continue;
			if (found == SIZE_MAX)
				found = n;
			else
				topology_note(t, "CPU %u is listed in nodes %u and %u", cpu,
					      t->numa.nodes.v[found].id, t->numa.nodes.v[n].id);
		}
		if (found == SIZE_MAX) {
			found = 0;
			topology_note(t, "CPU %u is listed in no node; shown in node %u", cpu,
				      t->numa.nodes.v[0].id);
		}
		cpus->v[i].node = found;
	}
}

static bool same_package(const struct topo_cpu *a, const struct topo_cpu *b)
{
	return a->node == b->node && a->thread.package == b->thread.package;
}

static void fall_back_to_packages(struct topology *t, topo_cpus *cpus)
{
	_cleanup_(cpuset_done) struct cpuset bare = CPUSET_INIT;
	_cleanup_(strbuf_done) struct strbuf list = STRBUF_INIT;

	for (size_t i = 0; i < cpus->n; i++)
		if (cpuset_is_empty(&cpus->v[i].llc))
			cpuset_add(&bare, cpus->v[i].thread.cpu);
	if (cpuset_is_empty(&bare))
		return;
	for (size_t i = 0; i < cpus->n; i++) {
		struct topo_cpu *self = &cpus->v[i];

		if (!cpuset_has(&bare, self->thread.cpu))
			continue;
		self->llc_source = TOPO_LLC_PACKAGE;
		for (size_t j = 0; j < cpus->n; j++) {
			const struct topo_cpu *other = &cpus->v[j];

			if (cpuset_has(&bare, other->thread.cpu) && same_package(self, other))
				cpuset_add(&self->llc, other->thread.cpu);
		}
	}
	cpuset_format(&bare, &list);
	topology_note(t, "no cache information for CPUs %s: packages stand in for LLCs", list.s);
}

static int by_place(const void *pa, const void *pb)
{
	const struct topo_cpu *a = pa, *b = pb;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	if (a->llc_group != b->llc_group)
		return a->llc_group < b->llc_group ? -1 : 1;
	if (a->core_group != b->core_group)
		return a->core_group < b->core_group ? -1 : 1;
	return a->thread.cpu < b->thread.cpu ? -1 : 1;
}

/* Groups get their ids in the order of the picture: the first place of a group names it. */
struct numbering {
	unsigned *ids; /* by group; NO_GROUP until its first place */
	size_t n;
};

static bool number_group(struct numbering *num, unsigned group, unsigned *ret_id)
{
	bool first = num->ids[group] == NO_GROUP;

	if (first)
		num->ids[group] = (unsigned)num->n++;
	*ret_id = num->ids[group];
	return first;
}

static void start_llc(struct topology *t, const struct topo_cpu *cpu, struct numbering *num)
{
	struct topo_llc llc = {
		.source = cpu->llc_source,
		.level = cpu->llc_level,
		.size_kb = cpu->llc_size_kb,
		.first = t->cores.n,
	};

	if (!number_group(num, cpu->llc_group, &llc.id))
		topology_note(t, "LLC %u spans nodes: it is shown in each", llc.id);
	vec_push(&t->llcs, llc);
	t->nodes.v[cpu->node].n++;
}

static void start_core(struct topology *t, const struct topo_cpu *cpu, struct numbering *num)
{
	struct topo_core core = { .first = t->threads.n };

	if (!number_group(num, cpu->core_group, &core.id))
		topology_note(t, "core %u spans LLCs: it is shown in each", core.id);
	vec_push(&t->cores, core);
	t->llcs.v[t->llcs.n - 1].n++;
}

static void place_cpus(struct topology *t, const topo_cpus *cpus)
{
	_cleanup_free_ unsigned *ids = xcalloc(2 * cpus->n + 1, sizeof(*ids));
	struct numbering llcs = { .ids = ids }, cores = { .ids = ids + cpus->n };
	size_t at = 0;

	memset(ids, 0xff, 2 * cpus->n * sizeof(*ids));
	for (size_t n = 0; n < t->numa.nodes.n; n++) {
		vec_push(&t->nodes, (struct topo_node){ .first = t->llcs.n });
		for (; at < cpus->n && cpus->v[at].node == n; at++) {
			const struct topo_cpu *cpu = &cpus->v[at], *last = at ? cpu - 1 : NULL;
			bool new_llc =
				!last || last->node != n || last->llc_group != cpu->llc_group;

			if (new_llc)
				start_llc(t, cpu, &llcs);
			if (new_llc || last->core_group != cpu->core_group)
				start_core(t, cpu, &cores);
			vec_push(&t->threads, cpu->thread);
			t->cores.v[t->cores.n - 1].n++;
		}
	}
	t->n_llcs = llcs.n;
	t->n_cores = cores.n;
}

void topology_assemble(struct topology *t, topo_cpus *cpus)
{
	find_nodes(t, cpus);
	adopt_claims(&core_relation, cpus);
	adopt_claims(&llc_relation, cpus);
	fall_back_to_packages(t, cpus);
	group_cpus(t, &core_relation, cpus);
	group_cpus(t, &llc_relation, cpus);
	if (cpus->n)
		qsort(cpus->v, cpus->n, sizeof(*cpus->v), by_place);
	place_cpus(t, cpus);
}
