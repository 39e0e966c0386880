/* SPDX-License-Identifier: GPL-2.0-only */
/* What results are printed on: the one part of this room that asks the world. */
#ifndef RENDER_TERMINAL_H
#define RENDER_TERMINAL_H

#include <stdbool.h>

#include "render/render.h"

enum color_mode {
#define COLOR_MODE(id, name, words) COLOR_MODE_##id,
#include "render/color.def"
#undef COLOR_MODE
	COLOR_MODE_COUNT
};

/* By enum value; ends in NULL. */
extern const char *const color_mode_names[COLOR_MODE_COUNT + 1];

/* What an output and its environment say. Strings are borrowed from the environment; NULL: unset.
 */
struct terminal {
	bool tty;
	unsigned columns; /* as the terminal tells; 0: it does not */
	const char *env_columns;
	const char *env_no_color;
	const char *env_term;
};

void terminal_probe(struct terminal *ret, int fd);

/* The width for tables: what the terminal tells, else $COLUMNS; 0 (unlimited) without a terminal or
 * when neither is a number from 1 to 65535. Pure. */
unsigned terminal_width(const struct terminal *t);

/* The width for running text and pictures, which need one wherever they go: what the terminal
 * tells, else $COLUMNS, also without a terminal, else 80. Pure. */
unsigned terminal_text_width(const struct terminal *t);

/* ALWAYS and NEVER are the user's word. AUTO: on a terminal that is not dumb (TERM unset counts as
 * dumb), unless NO_COLOR is set to anything but the empty string. Pure. */
bool terminal_color(const struct terminal *t, enum color_mode mode);

/* The options for tables and for running text on stdout. */
struct table_options terminal_table_options(enum color_mode mode, bool wrap);
struct table_options terminal_text_options(enum color_mode mode);

#endif
