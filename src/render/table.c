// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cells become text here and are cut or wrapped to their column; libsmartcols lays them out. It
 * neither encodes (its escapes would double the backslashes of systemd's \x2d) nor shrinks columns
 * (it cuts without a mark, numbers too).
 */
#include "render/render.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include <libsmartcols/libsmartcols.h>

#include "render/fit.h"
#include "render/text.h"
#include "util/cleanup.h"

#define SEPARATOR "  " /* the space behind a cell and the one before the next */
#define READABLE  10   /* text is not cut below this many columns */

struct piece {
	size_t at, n; /* in grid.bytes */
	size_t width;
	enum cell_color color;
	bool bold;
};

/* What is shown, as text. The titles are row 0: libsmartcols prints no header above zero rows, so
 * to it the header is an ordinary line. */
struct grid {
	const struct view *view;
	const struct table_options *options;
	size_t *shown; /* indices of the view's columns */
	struct fit *fits;
	size_t n_columns;
	VEC(struct piece) pieces;
	struct strbuf bytes;
};

static void grid_done(struct grid *grid)
{
	free(grid->shown);
	free(grid->fits);
	vec_done(&grid->pieces);
	strbuf_done(&grid->bytes);
}

static void add_cell(struct strbuf *out, const struct cell *c)
{
	switch (c->type) {
	case CELL_BLANK:
		break;
	case CELL_ABSENT:
		strbuf_addch(out, '-');
		break;
	case CELL_TEXT:
		text_add(out, c->text);
		break;
	case CELL_BOOL:
		strbuf_addstr(out, c->yes ? "yes" : "no");
		break;
	case CELL_U64:
		units_u64(out, c->ladder, c->u64);
		break;
	case CELL_I64:
		strbuf_addf(out, "%lld", (long long)c->i64);
		break;
	case CELL_DELTA:
		units_delta(out, c->ladder, c->delta);
		break;
	case CELL_DELTA_REAL:
		units_delta_real(out, c->ladder, c->real);
		break;
	case CELL_DERIVED:
		units_derived(out, c->ladder, c->real);
		break;
	case CELL_DERIVED_DELTA:
		units_derived_delta(out, c->ladder, c->real);
		break;
	case CELL_RATIO:
		units_ratio(out, c->real);
		break;
	case CELL_RATIO_DELTA:
		units_ratio_delta(out, c->real);
		break;
	case CELL_PERCENT:
		units_percent(out, c->real);
		break;
	case CELL_CPUS:
		cpuset_format(c->cpus, out);
		break;
	case CELL_LIST:
		for (size_t i = 0; i < c->list.n; i++) {
			strbuf_addstr(out, i ? ", " : "");
			text_add(out, slice_of(c->list.items[i]));
		}
		break;
	}
}

static void at_least(size_t *v, size_t least)
{
	if (*v < least)
		*v = least;
}

/* The next piece of the row. A cut number is a wrong number: only text gives way to the width of
 * the terminal. */
static void grid_add(struct grid *grid, struct fit *fit, const struct cell *c)
{
	struct piece p = { .at = grid->bytes.len, .color = c->color, .bold = c->bold };
	bool gives_way = c->type == CELL_TEXT || c->type == CELL_CPUS || c->type == CELL_LIST;
	struct slice text;

	add_cell(&grid->bytes, c);
	p.n = grid->bytes.len - p.at;
	text = (struct slice){ grid->bytes.s + p.at, p.n };
	p.width = text_width(text);
	vec_push(&grid->pieces, p);

	at_least(&fit->width, p.width);
	at_least(&fit->least, gives_way && p.width > READABLE ? READABLE : p.width);
	if (grid->options->wrap)
		at_least(&fit->word, text_word_width(text));
}

static void grid_fill(struct grid *grid, const struct view *view)
{
	grid->view = view;
	grid->shown = xcalloc(view->n_columns, sizeof(*grid->shown));
	grid->fits = xcalloc(view->n_columns, sizeof(*grid->fits));
	for (size_t i = 0; i < view->n_columns; i++) {
		const struct column *column = &view->columns[i];
		struct cell title = cell_text(column->title ? column->title : column->key);
		struct fit *fit = &grid->fits[grid->n_columns];

		if (column->flags & COLUMN_DATA)
			continue;
		title.color = COLOR_CYAN;
		grid_add(grid, fit, &title);
		fit->least = fit->width;
		fit->first = column->flags & COLUMN_SHRINK;
		grid->shown[grid->n_columns++] = i;
	}
	assert(grid->n_columns > 0);
	for (size_t row = 0; row < view_n_rows(view); row++)
		for (size_t i = 0; i < grid->n_columns; i++)
			grid_add(grid, &grid->fits[i],
				 &view->cells.v[row * view->n_columns + grid->shown[i]]);
}

static void grid_fit(struct grid *grid)
{
	size_t gaps = 1 + strlen(SEPARATOR) * (grid->n_columns - 1);
	size_t width = grid->options->width;

	if (width)
		fit_columns(grid->fits, grid->n_columns, width > gaps ? width - gaps : 0);
}

/* The text of piece @i as its column shows it; valid until the next call with the same @scratch. */
static const char *piece_text(const struct grid *grid, size_t i, struct strbuf *scratch)
{
	const struct piece *p = &grid->pieces.v[i];
	struct slice text = { grid->bytes.s + p->at, p->n };
	size_t width = grid->fits[i % grid->n_columns].width;

	strbuf_reset(scratch);
	if (p->width <= width)
		strbuf_addslice(scratch, text);
	else if (grid->options->wrap)
		text_wrap(scratch, text, width);
	else
		text_cut(scratch, text, width);
	return scratch->s;
}

static int color_piece(const struct grid *grid, size_t i, struct libscols_cell *shown)
{
	static const unsigned char codes[COLOR_COUNT] = {
		[COLOR_NONE] = 39,   [COLOR_RED] = 31,   [COLOR_GREEN] = 32,
		[COLOR_YELLOW] = 33, [COLOR_BLUE] = 34,  [COLOR_MAGENTA] = 35,
		[COLOR_CYAN] = 36,   [COLOR_WHITE] = 37, [COLOR_GREY] = 90,
	};
	const struct piece *p = &grid->pieces.v[i];
	char sequence[16];

	/* An empty cell gets none: it would keep the blanks before it from being trimmed. */
	if (!grid->options->color || !p->n || (!p->color && !p->bold))
		return 0;
	snprintf(sequence, sizeof(sequence), "\033[%c;%um", p->bold ? '1' : '0', codes[p->color]);
	return scols_cell_set_color(shown, sequence);
}

static int add_columns(const struct grid *grid, struct libscols_table *table)
{
	for (size_t i = 0; i < grid->n_columns; i++) {
		unsigned right = grid->view->columns[grid->shown[i]].flags & COLUMN_RIGHT;
		struct libscols_column *column = scols_table_new_column(
			table, NULL, 0, (right ? SCOLS_FL_RIGHT : 0) | SCOLS_FL_WRAP);

		if (!column)
			return -ENOMEM;
		/* A cell breaks where we put a newline, nowhere else. */
		scols_column_set_wrapfunc(column, scols_wrapnl_chunksize, scols_wrapnl_nextchunk,
					  NULL);
	}
	return 0;
}

static int add_lines(const struct grid *grid, struct libscols_table *table)
{
	_cleanup_(strbuf_done) struct strbuf scratch = STRBUF_INIT;
	struct libscols_line *line = NULL;

	for (size_t i = 0; i < grid->pieces.n; i++) {
		size_t column = i % grid->n_columns;
		int r;

		if (!column)
			line = scols_table_new_line(table, NULL);
		if (!line)
			return -ENOMEM;
		r = scols_line_set_data(line, column, piece_text(grid, i, &scratch));
		if (!r)
			r = color_piece(grid, i, scols_line_get_cell(line, column));
		if (r)
			return r;
	}
	return 0;
}

static void unref_table(struct libscols_table **table)
{
	scols_unref_table(*table);
}

static int lay_out(const struct grid *grid, char **ret)
{
	_cleanup_(unref_table) struct libscols_table *table = scols_new_table();
	int r;

	if (!table)
		return -ENOMEM;
	scols_table_enable_noheadings(table, 1);
	scols_table_enable_noencoding(table, 1);
	scols_table_enable_colors(table, grid->options->color);
	scols_table_set_column_separator(table, SEPARATOR);
	scols_table_set_termforce(table, SCOLS_TERMFORCE_NEVER);
	r = add_columns(grid, table);
	if (!r)
		r = add_lines(grid, table);
	if (!r)
		r = scols_print_table_to_string(table, ret);
	return r;
}

/* One space before each line, none behind. */
static void add_trimmed(struct strbuf *out, const char *text)
{
	for (;;) {
		size_t all = strcspn(text, "\n"), n = all;

		while (n && text[n - 1] == ' ')
			n--;
		if (n) {
			strbuf_addch(out, ' ');
			strbuf_add(out, text, n);
		}
		strbuf_addch(out, '\n');
		if (!text[all])
			return;
		text += all + 1;
	}
}

int render_table(const struct view *view, const struct table_options *options, FILE *out)
{
	_cleanup_(grid_done) struct grid grid = { .options = options, .bytes = STRBUF_INIT };
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	_cleanup_free_ char *body = NULL;
	_cleanup_(text_locale_leave) struct text_locale locale;
	int r;

	text_locale_enter(&locale);
	grid_fill(&grid, view);
	grid_fit(&grid);
	r = lay_out(&grid, &body);
	if (r)
		return r;
	if (view->heading) {
		strbuf_addstr(&text, "## ");
		text_add(&text, slice_of(view->heading));
		strbuf_addch(&text, '\n');
	}
	add_trimmed(&text, body);
	return json_sink_file(out, text.s, text.len);
}
