/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Views to text: table, JSON or CSV. Pure: what the terminal is like comes in as options, and the
 * locale does not matter. All output is UTF-8 whatever the locale says: a table that holds "µs"
 * here and "us" there would be two formats.
 *
 * Functions with a FILE * return 0 or -errno of the stream; they do not flush it.
 */
#ifndef RENDER_RENDER_H
#define RENDER_RENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "render/cell.h"
#include "json/writer.h"

enum render_format {
#define RENDER_FORMAT(id, name, words) RENDER_##id,
#include "render/format.def"
#undef RENDER_FORMAT
	RENDER_FORMAT_COUNT
};

/* By enum value; ends in NULL. */
extern const char *const render_format_names[RENDER_FORMAT_COUNT + 1];

struct table_options {
	unsigned width; /* columns of the terminal; 0: unlimited (not a terminal) */
	bool color;
	bool wrap; /* continue long cells on the next line instead of cutting them */
};

/*
 * Optional heading line, header row, rows; no borders; one space before and after each cell, line
 * ends trimmed. Without rows: heading and header. No byte of a cell acts on the terminal.
 *
 * A table wider than options->width has its text cut ("…") or wrapped, COLUMN_SHRINK columns first.
 * Wrapping breaks no word while the words of all columns fit side by side. Titles and numbers are
 * never cut, text not below ten columns; what then is still too wide stays too wide.
 */
_must_check_ int render_table(const struct view *view, const struct table_options *options,
			      FILE *out);

/*
 * The rows as an array of objects keyed by column, as the next value of @w. A row with absent cells
 * ends in the member `absent`, {"column key": "reason"} with the names of util/absence.h; cells
 * without a reason are not in it, and a row without any reason does not have it. No column may
 * have that key (asserted).
 */
void render_json_rows(const struct view *view, struct json_writer *w);

/* One cell as the next value of @w: exact, in base units; null when blank or absent. */
void render_json_cell(const struct cell *cell, struct json_writer *w);

/*
 * RFC 4180: CRLF line ends, quotes where needed, heading row first. Numbers as in JSON, blank and
 * absent cells empty (without the reason), CPUs as a cpulist, lists with a space between. Text is
 * escaped (util/escape.h), so a cell is always one line; nothing else is changed: text that a
 * spreadsheet takes for a formula stays as it is.
 */
_must_check_ int render_csv(const struct view *view, FILE *out);

/*
 * All that a command prints on stdout. Table: the views with a blank line between. JSON: an object
 * with a member per view, named view->name. CSV: one table for all, so that it stays one RFC 4180
 * file: the column `section` holds view->name, then come the columns of all views, each key once;
 * cells of columns a view does not have are empty. @options matter to tables only.
 */
_must_check_ int render_document(const struct view *views, size_t n, enum render_format format,
				 const struct table_options *options, FILE *out);

#endif
