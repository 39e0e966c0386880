// SPDX-License-Identifier: GPL-2.0-only
#include "render/csv.h"

#include <assert.h>

#include "render/render.h"
#include "util/cleanup.h"
#include "util/escape.h"

#define SECTION "section"

/* A column of the output, with its place in the view that is being written. */
struct place {
	const char *key;
	size_t column; /* or NOWHERE */
};

#define NOWHERE ((size_t)-1)

struct csv {
	VEC(struct place) places;
	bool sections;
	struct strbuf text;
	struct strbuf field; /* scratch */
};

static void csv_done(struct csv *csv)
{
	vec_done(&csv->places);
	strbuf_done(&csv->text);
	strbuf_done(&csv->field);
}

static void add_field(struct csv *csv, struct slice s)
{
	bool quote = false;

	for (size_t i = 0; i < s.n && !quote; i++)
		quote = s.s[i] == ',' || s.s[i] == '"';
	if (!quote) {
		strbuf_addslice(&csv->text, s);
		return;
	}
	strbuf_addch(&csv->text, '"');
	for (size_t i = 0; i < s.n; i++) {
		if (s.s[i] == '"')
			strbuf_addch(&csv->text, '"');
		strbuf_addch(&csv->text, s.s[i]);
	}
	strbuf_addch(&csv->text, '"');
}

static void add_text(struct csv *csv, struct slice s)
{
	strbuf_reset(&csv->field);
	escape_text(&csv->field, s);
	add_field(csv, strbuf_slice(&csv->field));
}

static void add_list(struct csv *csv, const struct cell_list *list)
{
	strbuf_reset(&csv->field);
	for (size_t i = 0; i < list->n; i++) {
		strbuf_addstr(&csv->field, i ? " " : "");
		escape_text(&csv->field, slice_of(list->items[i]));
	}
	add_field(csv, strbuf_slice(&csv->field));
}

/* Numbers go through the JSON writer, so that both formats say the same to the last digit. */
static void add_number(struct csv *csv, const struct cell *c)
{
	struct json_writer w;
	int r;

	json_writer_init(&w, json_sink_strbuf, &csv->text, JSON_COMPACT);
	render_json_cell(c, &w);
	r = json_writer_finish(&w);
	assert(r == 0);
}

static void add_cell(struct csv *csv, const struct cell *c)
{
	switch (c->type) {
	case CELL_BLANK:
	case CELL_ABSENT:
		break;
	case CELL_TEXT:
		add_text(csv, c->text);
		break;
	case CELL_CPUS:
		strbuf_reset(&csv->field);
		cpuset_format(c->cpus, &csv->field);
		add_field(csv, strbuf_slice(&csv->field));
		break;
	case CELL_LIST:
		add_list(csv, &c->list);
		break;
	case CELL_BOOL:
	case CELL_U64:
	case CELL_I64:
	case CELL_DELTA:
	case CELL_DERIVED:
	case CELL_RATIO:
	case CELL_PERCENT:
	case CELL_DELTA_REAL:
	case CELL_DERIVED_DELTA:
	case CELL_RATIO_DELTA:
		add_number(csv, c);
		break;
	}
}

/* A line of one empty field would be an empty line, which readers skip. */
static void end_line(struct csv *csv, size_t start)
{
	if (csv->text.len == start)
		strbuf_addstr(&csv->text, "\"\"");
	strbuf_addstr(&csv->text, "\r\n");
}

static struct place *find_place(struct csv *csv, const char *key)
{
	for (size_t i = 0; i < csv->places.n; i++)
		if (slice_is(slice_of(csv->places.v[i].key), key))
			return &csv->places.v[i];
	return NULL;
}

static void add_places(struct csv *csv, const struct view *view)
{
	for (size_t i = 0; i < view->n_columns; i++) {
		const struct column *column = &view->columns[i];

		assert(!csv->sections || !slice_is(slice_of(column->key), SECTION));
		if (!(column->flags & COLUMN_TABLE) && !find_place(csv, column->key))
			vec_push(&csv->places, (struct place){ .key = column->key });
	}
}

static void add_heading(struct csv *csv)
{
	size_t start = csv->text.len;

	if (csv->sections)
		strbuf_addstr(&csv->text, SECTION);
	for (size_t i = 0; i < csv->places.n; i++) {
		if (i || csv->sections)
			strbuf_addch(&csv->text, ',');
		add_text(csv, slice_of(csv->places.v[i].key));
	}
	end_line(csv, start);
}

static void add_row(struct csv *csv, const char *section, const struct cell *cells)
{
	size_t start = csv->text.len;

	if (csv->sections)
		add_text(csv, slice_of(section));
	for (size_t i = 0; i < csv->places.n; i++) {
		size_t column = csv->places.v[i].column;

		if (i || csv->sections)
			strbuf_addch(&csv->text, ',');
		if (column != NOWHERE)
			add_cell(csv, &cells[column]);
	}
	end_line(csv, start);
}

static void add_view(struct csv *csv, const struct view *view)
{
	for (size_t i = 0; i < csv->places.n; i++)
		csv->places.v[i].column = NOWHERE;
	for (size_t i = 0; i < view->n_columns; i++)
		if (!(view->columns[i].flags & COLUMN_TABLE))
			find_place(csv, view->columns[i].key)->column = i;
	for (size_t row = 0; row < view_n_rows(view); row++)
		add_row(csv, view->name, &view->cells.v[row * view->n_columns]);
}

static int write_views(const struct view *views, size_t n, bool sections, FILE *out)
{
	_cleanup_(csv_done) struct csv csv = { .sections = sections,
					       .text = STRBUF_INIT,
					       .field = STRBUF_INIT };

	for (size_t i = 0; i < n; i++)
		add_places(&csv, &views[i]);
	add_heading(&csv);
	for (size_t i = 0; i < n; i++)
		add_view(&csv, &views[i]);
	return json_sink_file(out, csv.text.s, csv.text.len);
}

int csv_write_sections(const struct view *views, size_t n, FILE *out)
{
	return write_views(views, n, true, out);
}

int render_csv(const struct view *view, FILE *out)
{
	return write_views(view, 1, false, out);
}
