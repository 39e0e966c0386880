// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/catalog.h"

#include "util/cleanup.h"
#include "util/compiler.h"

static const struct tag dead_tag = { "dead", "printed by the kernel, never written" };

static const struct column tag_columns[] = {
	{ "bracketed", "tag", COLUMN_TABLE },
	{ "tag", .flags = COLUMN_DATA },
	{ "meaning", .flags = COLUMN_SHRINK },
};

/* The key "section" is taken by CSV documents: it tells the view a row belongs to. */
static const struct column section_columns[] = {
	{ "name", "section" },
	{ "heading", .flags = COLUMN_SHRINK },
	{ "description", .flags = COLUMN_SHRINK },
	{ "needs_cgroups", .flags = COLUMN_DATA },
};

static const struct column metric_columns[] = {
	{ "metric" },
	{ "tags", .flags = COLUMN_TABLE | COLUMN_SHRINK },
	{ "class", .flags = COLUMN_DATA },
	{ "gates", .flags = COLUMN_DATA },
	{ "family" },
	{ "description", .flags = COLUMN_SHRINK },
	{ "printed_in", .flags = COLUMN_DATA },
	{ "rule", .flags = COLUMN_DATA },
	{ "unit", .flags = COLUMN_DATA },
	{ "source", .flags = COLUMN_DATA },
	{ "kernel_source", .flags = COLUMN_DATA },
};

static const struct column derived_columns[] = {
	{ "metric" },
	{ "unit" },
	{ "inputs", .flags = COLUMN_SHRINK },
	{ "formula", .flags = COLUMN_DATA },
	{ "description", .flags = COLUMN_SHRINK },
	{ "printed_in", .flags = COLUMN_DATA },
};

static void add_tag(struct strbuf *out, const char *name)
{
	strbuf_addf(out, "%s[%s]", out->len ? " " : "", name);
}

void metric_tags(const struct metric *metric, struct strbuf *out)
{
	struct strbuf tags = STRBUF_INIT;

	if (metric->class != CLASS_ANY)
		add_tag(&tags, class_tags[metric->class].name);
	if (metric->kind == KIND_DEAD)
		add_tag(&tags, dead_tag.name);
	for (int i = 0; i < METRIC_GATES; i++)
		if (metric->gates[i] != GATE_NONE)
			add_tag(&tags, gate_tags[metric->gates[i]].name);
	strbuf_addslice(out, strbuf_slice(&tags));
	strbuf_done(&tags);
}

void derived_formula(const struct derived *derived, struct strbuf *out)
{
	const enum metric_id *in = derived->inputs;
	const char *a = metrics[in[0]].name, *b = metrics[in[1]].name;
	size_t n = derived->n_inputs;

	switch (derived->formula) {
	case FORMULA_QUOTIENT:
		strbuf_addf(out, "%s / %s", a, b);
		break;
	case FORMULA_SHARE:
		strbuf_addf(out, "%s / (%s + %s)", a, a, b);
		break;
	case FORMULA_DIFFERENCE:
		strbuf_addf(out, "%s - %s", a, b);
		break;
	case FORMULA_OFFCPU:
		for (size_t i = 0; i < n - 2; i++)
			strbuf_addf(out, "%s + ", metrics[in[i]].name);
		strbuf_addf(out, "max(%s, %s)", metrics[in[n - 2]].name, metrics[in[n - 1]].name);
		break;
	}
}

/* A cell with text of its own, which the view keeps. */
static struct cell cell_kept(struct view *view, const struct strbuf *text)
{
	return cell_text(arena_strdup(&view->arena, strbuf_slice(text)));
}

static void add_tag_row(struct view *view, const struct tag *tag)
{
	_cleanup_(strbuf_done) struct strbuf name = STRBUF_INIT;

	add_tag(&name, tag->name);
	view_row(view, cell_kept(view, &name), cell_text(tag->name), cell_text(tag->meaning));
}

static void fill_tags(struct view *view)
{
	for (int i = CLASS_ANY + 1; i < CLASS_COUNT; i++)
		add_tag_row(view, &class_tags[i]);
	for (int i = GATE_NONE + 1; i < GATE_COUNT; i++)
		add_tag_row(view, &gate_tags[i]);
	add_tag_row(view, &dead_tag);
}

static void fill_sections(struct view *view)
{
	for (int i = 0; i < SECTION_COUNT; i++)
		view_row(view, cell_text(sections[i].name), cell_text(sections[i].heading),
			 cell_text(sections[i].description), cell_bool(sections[i].needs_cgroups));
}

static struct cell class_cell(enum metric_class class)
{
	return class == CLASS_ANY ? cell_blank() : cell_text(class_tags[class].name);
}

static struct cell gates_cell(struct view *view, const struct metric *metric)
{
	const char **names = arena_alloc_array(&view->arena, METRIC_GATES, sizeof(*names));
	size_t n = 0;

	for (int i = 0; i < METRIC_GATES; i++)
		if (metric->gates[i] != GATE_NONE)
			names[n++] = gate_tags[metric->gates[i]].name;
	return cell_list(names, n);
}

static void fill_metrics(struct view *view)
{
	for (int i = 0; i < METRIC_COUNT; i++) {
		_cleanup_(strbuf_done) struct strbuf tags = STRBUF_INIT;
		const struct metric *m = &metrics[i];

		metric_tags(m, &tags);
		view_row(view, cell_text(m->name), cell_kept(view, &tags), class_cell(m->class),
			 gates_cell(view, m), cell_text(family_name(kind_family(m->kind))),
			 cell_text(m->description), cell_text(sections[m->section].name),
			 cell_text(pair_name(m->pair)), cell_text(units_base(kind_ladder(m->kind))),
			 cell_text(reading_source(m->reading)), cell_text(m->kernel_source));
	}
}

static struct cell inputs_cell(struct view *view, const struct derived *derived)
{
	const char **names = arena_alloc_array(&view->arena, derived->n_inputs, sizeof(*names));

	for (size_t i = 0; i < derived->n_inputs; i++)
		names[i] = metrics[derived->inputs[i]].name;
	return cell_list(names, derived->n_inputs);
}

static void fill_derived(struct view *view)
{
	for (int i = 0; i < DERIVED_COUNT; i++) {
		_cleanup_(strbuf_done) struct strbuf formula = STRBUF_INIT;
		const struct derived *d = &derived_metrics[i];

		derived_formula(d, &formula);
		view_row(view, cell_text(d->name), cell_text(derived_unit_name(d->unit)),
			 inputs_cell(view, d), cell_kept(view, &formula), cell_text(d->description),
			 cell_text(sections[d->section].name));
	}
}

void catalog_views(struct view views[CATALOG_COUNT])
{
	static const struct {
		const char *name;
		const char *heading;
		const struct column *columns;
		size_t n_columns;
		void (*fill)(struct view *view);
	} rows[] = {
		[CATALOG_TAGS] = { "tags", "Tag legend", tag_columns, ARRAY_SIZE(tag_columns),
				   fill_tags },
		[CATALOG_SECTIONS] = { "sections", "Sections", section_columns,
				       ARRAY_SIZE(section_columns), fill_sections },
		[CATALOG_METRICS] = { "metrics", "Metrics", metric_columns,
				      ARRAY_SIZE(metric_columns), fill_metrics },
		[CATALOG_DERIVED] = { "derived", "Derived metrics", derived_columns,
				      ARRAY_SIZE(derived_columns), fill_derived },
	};

	for (int i = 0; i < CATALOG_COUNT; i++) {
		view_init(&views[i], rows[i].name, rows[i].columns, rows[i].n_columns);
		views[i].heading = rows[i].heading;
		rows[i].fill(&views[i]);
	}
}
