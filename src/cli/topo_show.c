// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "cli/topo_picture.h"
#include "cli/topo_text.h"
#include "util/cleanup.h"

#define LABEL_WIDTH 9

static void add_count(struct strbuf *out, size_t n, const char *what)
{
	strbuf_addf(out, "%s%zu %s%s", out->len ? ", " : "", n, what, n == 1 ? "" : "s");
}

static void show_summary(const struct topology *t, FILE *out)
{
	_cleanup_(strbuf_done) struct strbuf line = STRBUF_INIT;

	add_count(&line, t->nodes.n, "node");
	add_count(&line, t->n_llcs, "LLC");
	add_count(&line, t->n_cores, "core");
	add_count(&line, t->threads.n, "thread");
	if (!cpuset_is_empty(&t->offline))
		strbuf_addf(&line, ", %zu offline", cpuset_count(&t->offline));
	fprintf(out, "%s\n\n", line.s);
}

static void show_caches(const struct topology *t, size_t width, struct block *out)
{
	static const char *const letters[TOPO_CACHE_TYPES] = {
		[TOPO_CACHE_DATA] = "d",
		[TOPO_CACHE_INSTRUCTION] = "i",
		[TOPO_CACHE_UNIFIED] = "",
	};
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < t->caches.n; i++) {
		const struct topo_cache *cache = &t->caches.v[i];

		strbuf_addf(&text, "%s%u x L%u%s", i ? ", " : "", cache->count, cache->level,
			    letters[cache->type]);
		if (cache->size_kb) {
			strbuf_addch(&text, ' ');
			topo_size_text(&text, cache->size_kb);
		}
	}
	if (t->caches.n)
		block_add_list(out, "caches", LABEL_WIDTH, strbuf_slice(&text), width);
}

static void show_cpus(const char *label, const struct cpuset *cpus, size_t width, struct block *out)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

	if (cpuset_is_empty(cpus))
		return;
	cpuset_format(cpus, &text);
	block_add_list(out, label, LABEL_WIDTH, strbuf_slice(&text), width);
}

/* Ids below the highest that no CPU has. */
static void show_holes(const struct topology *t, size_t width, struct block *out)
{
	struct cpuset holes = CPUSET_INIT;
	unsigned next = 0;

	cpuset_for_each (&t->present, cpu) {
		while (next < (unsigned)cpu)
			cpuset_add(&holes, next++);
		next = (unsigned)cpu + 1;
	}
	show_cpus("no CPU", &holes, width, out);
	cpuset_done(&holes);
}

static void add_run(struct strbuf *out, const struct topology *t, const struct topo_core *cores,
		    size_t n)
{
	const struct topo_core *last = &cores[n - 1];
	struct cpuset cpus = CPUSET_INIT;

	for (size_t i = cores->first; i < last->first + last->n; i++)
		cpuset_add(&cpus, t->threads.v[i].cpu);
	strbuf_addstr(out, ": ");
	cpuset_format(&cpus, out);
	strbuf_addf(out, " (%zu core%s)", n, n == 1 ? "" : "s");
	cpuset_done(&cpus);
}

static void add_llc(struct strbuf *out, const struct topology *t, const struct topo_llc *llc)
{
	const struct topo_core *cores = &t->cores.v[llc->first];
	size_t run;

	strbuf_addstr(out, "  ");
	topo_llc_text(out, t, llc);
	if (!topo_has_classes(t))
		add_run(out, t, cores, llc->n);
	for (size_t i = 0; topo_has_classes(t) && i < llc->n; i += run) {
		run = topo_class_run(t, llc, i);
		strbuf_addstr(out, "\n    ");
		topo_class_text(out, t, &cores[i]);
		add_run(out, t, &cores[i], run);
	}
	strbuf_addch(out, '\n');
}

/* Where frames do not fit: one line per LLC, and one per class of cores where they differ. */
static void show_lines(const struct topology *t, FILE *out)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < t->nodes.n; i++) {
		const struct topo_node *node = &t->nodes.v[i];

		topo_node_text(&text, t, i);
		strbuf_addstr(&text, node->n ? "\n" : ", no online CPUs\n");
		for (size_t j = 0; j < node->n; j++)
			add_llc(&text, t, &t->llcs.v[node->first + j]);
		if (cpuset_is_empty(&node->offline))
			continue;
		strbuf_addstr(&text, "  offline ");
		cpuset_format(&node->offline, &text);
		strbuf_addch(&text, '\n');
	}
	fputs(text.s, out);
}

/* Columns of the distance table from @first on, as many as fit into the width. */
static void show_distance_columns(const struct numa *numa, size_t first, size_t n, FILE *out)
{
	fprintf(out, "\n%-*s", LABEL_WIDTH, "distance");
	for (size_t i = first; i < first + n; i++)
		fprintf(out, "%5u", numa->nodes.v[i].id);
	fputc('\n', out);
	for (size_t i = 0; i < numa->nodes.n; i++) {
		const struct numa_node *node = &numa->nodes.v[i];

		fprintf(out, "%*u", LABEL_WIDTH, node->id);
		for (size_t j = first; j < first + n; j++)
			if (node->distances_absent)
				fprintf(out, "%5s", "?");
			else
				fprintf(out, "%5u", node->distances.v[j]);
		fputc('\n', out);
	}
}

static void show_distances(const struct numa *numa, size_t width, FILE *out)
{
	size_t fit = width > LABEL_WIDTH + 5 ? (width - LABEL_WIDTH) / 5 : 1;

	if (numa->nodes.n < 2)
		return;
	for (size_t i = 0; i < numa->nodes.n; i += fit)
		show_distance_columns(numa, i, numa->nodes.n - i < fit ? numa->nodes.n - i : fit,
				      out);
}

void topo_show(const struct topology *t, size_t width, enum frame_style style, FILE *out)
{
	struct block facts = {}, picture = {};

	show_summary(t, out);
	show_caches(t, width, &facts);
	show_cpus("online", &t->online, width, &facts);
	show_cpus("offline", &t->offline, width, &facts);
	show_holes(t, width, &facts);
	block_print(&facts, out);
	fputc('\n', out);
	if (topo_picture(t, width, style, &picture))
		block_print(&picture, out);
	else
		show_lines(t, out);
	show_distances(&t->numa, width, out);
	block_done(&facts);
	block_done(&picture);
}
