// SPDX-License-Identifier: GPL-2.0-only
#include "render/render.h"

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
	}
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
	json_end_object(w);
}

void render_json_rows(const struct view *view, struct json_writer *w)
{
	json_begin_array(w);
	for (size_t row = 0; row < view_n_rows(view); row++)
		add_row(view, &view->cells.v[row * view->n_columns], w);
	json_end_array(w);
}
