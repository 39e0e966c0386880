/* SPDX-License-Identifier: GPL-2.0-only */
/* Views to text: table, JSON or CSV. Pure: what the terminal is like comes in as options. */
#ifndef RENDER_RENDER_H
#define RENDER_RENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "render/cell.h"
#include "json/writer.h"

struct table_options {
	unsigned width; /* columns of the terminal; 0: unlimited (not a terminal) */
	bool color;
	bool wrap; /* continue long cells on the next line instead of cutting them */
};

/* Optional heading line, header row, rows; no borders; one space before and after each cell, line
 * ends trimmed. 0 or -errno of the stream. */
_must_check_ int render_table(const struct view *view, const struct table_options *options,
			      FILE *out);

/* The rows as an array of objects keyed by column, as the next value of @w. */
void render_json_rows(const struct view *view, struct json_writer *w);

/* RFC 4180: CRLF line ends, quotes where needed, heading row first. Control bytes in names are
 * escaped, so a cell is always one line. */
_must_check_ int render_csv(const struct view *view, FILE *out);

#endif
