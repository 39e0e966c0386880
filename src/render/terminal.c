// SPDX-License-Identifier: GPL-2.0-only
#include "render/terminal.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "util/parse.h"

#define TEXT_WIDTH 80 /* where nothing tells */

const char *const color_mode_names[COLOR_MODE_COUNT + 1] = {
#define COLOR_MODE(id, name, words) [COLOR_MODE_##id] = name,
#include "render/color.def"
#undef COLOR_MODE
};

void terminal_probe(struct terminal *ret, int fd)
{
	struct winsize size = {};
	bool tty = isatty(fd);

	if (!tty || ioctl(fd, TIOCGWINSZ, &size) < 0)
		size.ws_col = 0;
	*ret = (struct terminal){
		.tty = tty,
		.columns = size.ws_col,
		.env_columns = getenv("COLUMNS"),
		.env_no_color = getenv("NO_COLOR"),
		.env_term = getenv("TERM"),
	};
}

/* 0: neither the terminal nor the environment tells. */
static unsigned known_width(const struct terminal *t)
{
	uint32_t columns = 0;

	if (t->columns || !t->env_columns)
		return t->columns;
	if (parse_u32(slice_of(t->env_columns), 1, UINT16_MAX, &columns) < 0)
		return 0;
	return columns;
}

unsigned terminal_width(const struct terminal *t)
{
	return t->tty ? known_width(t) : 0;
}

unsigned terminal_text_width(const struct terminal *t)
{
	unsigned width = known_width(t);

	return width ? width : TEXT_WIDTH;
}

bool terminal_color(const struct terminal *t, enum color_mode mode)
{
	if (mode != COLOR_MODE_AUTO)
		return mode == COLOR_MODE_ALWAYS;
	if (t->env_no_color && *t->env_no_color)
		return false;
	return t->tty && t->env_term && !slice_is(slice_of(t->env_term), "dumb");
}

struct table_options terminal_table_options(enum color_mode mode, bool wrap)
{
	struct terminal t;

	terminal_probe(&t, STDOUT_FILENO);
	return (struct table_options){
		.width = terminal_width(&t),
		.color = terminal_color(&t, mode),
		.wrap = wrap,
	};
}

struct table_options terminal_text_options(enum color_mode mode)
{
	struct terminal t;

	terminal_probe(&t, STDOUT_FILENO);
	return (struct table_options){
		.width = terminal_text_width(&t),
		.color = terminal_color(&t, mode),
		.wrap = true,
	};
}
