// SPDX-License-Identifier: GPL-2.0-only
#include "cli/topo_text.h"

#include <inttypes.h>

/* Numbers with more digits are rounded. */
#define EXACT_LIMIT 10000

void topo_size_text(struct strbuf *out, uint64_t kb)
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB" };
	size_t unit = 0;
	double v = (double)kb;

	while (kb && kb % 1024 == 0 && unit + 1 < ARRAY_SIZE(units)) {
		kb /= 1024;
		unit++;
	}
	if (kb < EXACT_LIMIT) {
		strbuf_addf(out, "%" PRIu64 "%s", kb, units[unit]);
		return;
	}
	for (unit = 0; v >= 1024 && unit + 1 < ARRAY_SIZE(units); unit++)
		v /= 1024;
	strbuf_addf(out, "%.1f%s", v, units[unit]);
}

static const struct topo_thread *first_thread(const struct topology *t,
					      const struct topo_core *core)
{
	return &t->threads.v[core->first];
}

/* The package of all CPUs in the LLC, or -1 when they differ or it is not known. */
static int64_t llc_package(const struct topology *t, const struct topo_llc *llc)
{
	const struct topo_core *first = &t->cores.v[llc->first];
	const struct topo_core *last = first + llc->n - 1;
	int64_t package = first_thread(t, first)->package;

	for (size_t i = first->first; i < last->first + last->n; i++)
		if (t->threads.v[i].package != package)
			return -1;
	return package;
}

/* The same for all LLCs of a node. */
static int64_t node_package(const struct topology *t, const struct topo_node *node)
{
	int64_t package = node->n ? llc_package(t, &t->llcs.v[node->first]) : -1;

	for (size_t i = 1; i < node->n; i++)
		if (llc_package(t, &t->llcs.v[node->first + i]) != package)
			return -1;
	return package;
}

void topo_node_text(struct strbuf *out, const struct topology *t, size_t node)
{
	const struct numa_node *numa = &t->numa.nodes.v[node];
	int64_t package = node_package(t, &t->nodes.v[node]);

	strbuf_addf(out, "node %u", numa->id);
	if (!numa->memory_absent) {
		strbuf_addstr(out, ", ");
		topo_size_text(out, numa->memory_kb);
	}
	if (package >= 0)
		strbuf_addf(out, ", package %" PRId64, package);
}

static const struct topo_node *node_of(const struct topology *t, const struct topo_llc *llc)
{
	size_t index = (size_t)(llc - t->llcs.v), i = 0;

	while (index >= t->nodes.v[i].first + t->nodes.v[i].n)
		i++;
	return &t->nodes.v[i];
}

void topo_llc_text(struct strbuf *out, const struct topology *t, const struct topo_llc *llc)
{
	int64_t package = llc_package(t, llc);

	strbuf_addf(out, "LLC %u", llc->id);
	if (llc->source == TOPO_LLC_PACKAGE)
		strbuf_addstr(out, ", by package");
	else
		strbuf_addf(out, ", L%u", llc->level);
	if (llc->size_kb) {
		strbuf_addch(out, ' ');
		topo_size_text(out, llc->size_kb);
	}
	if (package >= 0 && node_package(t, node_of(t, llc)) < 0)
		strbuf_addf(out, ", package %" PRId64, package);
}

static bool same_class(const struct topology *t, const struct topo_core *a,
		       const struct topo_core *b)
{
	const struct topo_thread *x = first_thread(t, a), *y = first_thread(t, b);

	return x->capacity == y->capacity && x->max_khz == y->max_khz;
}

bool topo_has_classes(const struct topology *t)
{
	for (size_t i = 1; i < t->cores.n; i++)
		if (!same_class(t, &t->cores.v[0], &t->cores.v[i]))
			return true;
	return false;
}

size_t topo_class_run(const struct topology *t, const struct topo_llc *llc, size_t first)
{
	const struct topo_core *cores = &t->cores.v[llc->first];
	size_t n = 1;

	while (first + n < llc->n && same_class(t, &cores[first], &cores[first + n]))
		n++;
	return n;
}

void topo_class_text(struct strbuf *out, const struct topology *t, const struct topo_core *core)
{
	const struct topo_thread *thread = first_thread(t, core);

	if (thread->capacity)
		strbuf_addf(out, "capacity %" PRIu64, thread->capacity);
	if (thread->max_khz)
		strbuf_addf(out, "%s%.2fGHz", thread->capacity ? ", " : "",
			    (double)thread->max_khz / 1e6);
}
