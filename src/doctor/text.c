// SPDX-License-Identifier: GPL-2.0-only
#include "doctor/text.h"

#include <errno.h>
#include <string.h>

#include "doctor/doctor.h"
#include "render/text.h"
#include "util/cleanup.h"

#define DEFAULT_WIDTH 80
#define MAX_WIDTH     100 /* longer lines are hard to read */
#define MARK_WIDTH    7
#define NAME_WIDTH    20
#define WHY_COLUMN    (2 + MARK_WIDTH + 2 + NAME_WIDTH + 2)
#define FIX_COLUMN    (2 + MARK_WIDTH + 2)

static const struct {
	const char *mark, *color;
} marks[DOCTOR_STATE_COUNT] = {
	[DOCTOR_USABLE] = { "ok", "\033[32m" },
	[DOCTOR_LIMITED] = { "limited", "\033[33m" },
	[DOCTOR_UNUSABLE] = { "no", "\033[31m" },
	[DOCTOR_UNKNOWN] = { "?", "\033[35m" },
};

struct writer {
	const struct view *view;
	const struct table_options *options;
	FILE *out;
};

static struct slice cell_at(const struct view *view, size_t row, enum doctor_column column)
{
	return view->cells.v[row * DOCTOR_COLUMN_COUNT + column].text;
}

static enum doctor_state state_at(const struct view *view, size_t row)
{
	enum doctor_state state = 0;

	while (!slice_is(cell_at(view, row, DOCTOR_COLUMN_STATE), doctor_state_name(state)))
		state++;
	return state;
}

static void write_mark(const struct writer *w, enum doctor_state state)
{
	const char *mark = marks[state].mark;

	fprintf(w->out, "  %s%s%s%*s", w->options->color ? marks[state].color : "", mark,
		w->options->color ? "\033[0m" : "", (int)(MARK_WIDTH - strlen(mark) + 2), "");
}

/* The rest of the line and further ones below it, broken at blanks: paths stay whole. */
static void write_why(const struct writer *w, struct slice why)
{
	_cleanup_(strbuf_done) struct strbuf safe = STRBUF_INIT;
	size_t width = w->options->width ? w->options->width : DEFAULT_WIDTH, column = WHY_COLUMN;
	struct slice rest, word;

	if (width > MAX_WIDTH)
		width = MAX_WIDTH;
	text_add(&safe, why);
	rest = strbuf_slice(&safe);
	while (slice_word(&rest, &word)) {
		size_t n = text_width(word);

		if (column > WHY_COLUMN && column + 1 + n > width) {
			fprintf(w->out, "\n%*s", WHY_COLUMN, "");
			column = WHY_COLUMN;
		}
		fprintf(w->out, "%s%.*s", column > WHY_COLUMN ? " " : "", (int)word.n, word.s);
		column += n + (column > WHY_COLUMN);
	}
	fputc('\n', w->out);
}

/* The first row with that fix. */
static size_t first_with_fix(const struct view *view, struct slice fix)
{
	size_t row = 0;

	while (!slice_eq(cell_at(view, row, DOCTOR_COLUMN_FIX), fix))
		row++;
	return row;
}

static void write_fix(const struct writer *w, size_t row)
{
	struct slice fix = cell_at(w->view, row, DOCTOR_COLUMN_FIX), line;
	size_t first = first_with_fix(w->view, fix);

	if (first != row) {
		struct slice name = cell_at(w->view, first, DOCTOR_COLUMN_NAME);

		fprintf(w->out, "%*sfix: as for %.*s\n", FIX_COLUMN, "", (int)name.n, name.s);
		return;
	}
	while (slice_cut(&fix, '\n', &line))
		fprintf(w->out, "%*s$ %.*s\n", FIX_COLUMN, "", (int)line.n, line.s);
}

static void write_row(const struct writer *w, size_t row)
{
	_cleanup_(strbuf_done) struct strbuf why = STRBUF_INIT;
	struct slice name = cell_at(w->view, row, DOCTOR_COLUMN_NAME);
	enum doctor_state state = state_at(w->view, row);

	write_mark(w, state);
	fprintf(w->out, "%-*.*s  ", NAME_WIDTH, (int)name.n, name.s);
	strbuf_addslice(&why, cell_at(w->view, row, DOCTOR_COLUMN_WHY));
	if (state == DOCTOR_LIMITED || state == DOCTOR_UNUSABLE) {
		strbuf_addstr(&why, " (for ");
		strbuf_addslice(&why, cell_at(w->view, row, DOCTOR_COLUMN_GIVES));
		strbuf_addch(&why, ')');
	}
	write_why(w, strbuf_slice(&why));
	if (cell_at(w->view, row, DOCTOR_COLUMN_FIX).n)
		write_fix(w, row);
}

static void write_summary(const struct writer *w)
{
	size_t count[DOCTOR_STATE_COUNT] = {};

	for (size_t row = 0; row < view_n_rows(w->view); row++)
		count[state_at(w->view, row)]++;
	fputc('\n', w->out);
	for (enum doctor_state state = 0; state < DOCTOR_STATE_COUNT; state++)
		fprintf(w->out, "%s%zu %s", state ? ", " : "", count[state],
			doctor_state_name(state));
	fputc('\n', w->out);
}

int doctor_text(const struct view *view, const struct table_options *options, FILE *out)
{
	const struct writer w = { view, options, out };
	struct slice area = { "", 0 };
	struct text_locale locale;

	text_locale_enter(&locale);
	for (size_t row = 0; row < view_n_rows(view); row++) {
		struct slice next = cell_at(view, row, DOCTOR_COLUMN_AREA);

		if (!slice_eq(next, area))
			fprintf(out, "%s%.*s\n", row ? "\n" : "", (int)next.n, next.s);
		area = next;
		write_row(&w, row);
	}
	text_locale_leave(&locale);
	write_summary(&w);
	return ferror(out) ? -EIO : 0;
}
