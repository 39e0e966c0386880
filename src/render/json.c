// SPDX-License-Identifier: GPL-2.0-only
#include "render/render.h"

#include <assert.h>

#define ABSENT "absent"

static void add_list(const struct cell_list *list, struct json_writer *w)
{
	json_begin_array(w);
	for (size_t i = 0; i < list->n; i++)
		json_string(w, list->items[i]);
	json_end_array(w);
}

void render_json_cell(const struct cell *c, struct json_writer *w)
{
	switch (c->type) {
	case CELL_BLANK:
	case CELL_ABSENT:
		json_null(w);
		break;
	case CELL_TEXT:
		json_slice(w, c->text);
		break;
	case CELL_BOOL:
		json_bool(w, c->yes);
		break;
	case CELL_U64:
		json_u64(w, c->u64);
		break;
	case CELL_I64:
		json_i64(w, c->i64);
		break;
	case CELL_DELTA:
		json_i128(w, c->delta);
		break;
	case CELL_DERIVED:
	case CELL_RATIO:
	case CELL_PERCENT:
	case CELL_DELTA_REAL:
	case CELL_DERIVED_DELTA:
	case CELL_RATIO_DELTA:
		json_double(w, c->real);
		break;
	case CELL_CPUS:
		json_cpus(w, c->cpus);
		break;
	case CELL_LIST:
		add_list(&c->list, w);
		break;
	}
}

/* Why cells of the row are null: an object by column, left out when there is nothing to say. */
static void add_reasons(const struct view *view, const struct cell *cells, struct json_writer *w)
{
	bool open = false;

	for (size_t i = 0; i < view->n_columns; i++) {
		if (view->columns[i].flags & COLUMN_TABLE || cells[i].type != CELL_ABSENT ||
		    cells[i].absence == ABSENCE_NONE)
			continue;
		if (!open) {
			json_key(w, ABSENT);
			json_begin_object(w);
			open = true;
		}
		json_key(w, view->columns[i].key);
		json_string(w, absence_name(cells[i].absence));
	}
	if (open)
		json_end_object(w);
}

static void add_row(const struct view *view, const struct cell *cells, struct json_writer *w)
{
	json_begin_object(w);
	for (size_t i = 0; i < view->n_columns; i++) {
		if (view->columns[i].flags & COLUMN_TABLE)
			continue;
		json_key(w, view->columns[i].key);
		render_json_cell(&cells[i], w);
	}
	add_reasons(view, cells, w);
	json_end_object(w);
}

void render_json_rows(const struct view *view, struct json_writer *w)
{
	for (size_t i = 0; i < view->n_columns; i++)
		assert(!slice_is(slice_of(view->columns[i].key), ABSENT));
	json_begin_array(w);
	for (size_t row = 0; row < view_n_rows(view); row++)
		add_row(view, &view->cells.v[row * view->n_columns], w);
	json_end_array(w);
}
