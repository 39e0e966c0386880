// SPDX-License-Identifier: GPL-2.0-only
#include "cli/block.h"

#include <stdlib.h>

#include "util/cleanup.h"
#include "util/strbuf.h"

static const struct {
	const char *across, *down, *top_left, *top_right, *bottom_left, *bottom_right;
} frames[] = {
	[FRAME_ASCII] = { "-", "|", "+", "+", "+", "+" },
	[FRAME_UTF8] = { "─", "│", "┌", "┐", "└", "┘" },
};

void block_done(struct block *block)
{
	strv_done(&block->lines);
	block->width = 0;
}

/* UTF-8 continuation bytes take no column. */
static size_t columns(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += (*s & 0xc0) != 0x80;
	return n;
}

static void repeat(struct strbuf *out, const char *s, size_t n)
{
	while (n-- > 0)
		strbuf_addstr(out, s);
}

static void add_padded(struct strbuf *out, const char *line, size_t width)
{
	strbuf_addstr(out, line);
	repeat(out, " ", width - columns(line));
}

void block_add_line(struct block *block, const char *line)
{
	size_t width = columns(line);

	strv_add(&block->lines, line);
	if (width > block->width)
		block->width = width;
}

void block_add_list(struct block *block, const char *label, size_t indent, struct slice words,
		    size_t width)
{
	_cleanup_(strbuf_done) struct strbuf line = STRBUF_INIT;
	struct slice word;

	add_padded(&line, label, indent);
	while (slice_cut(&words, ',', &word)) {
		size_t need = word.n + (words.n ? 1 : 0);

		if (line.len > indent && line.len + need > width) {
			block_add_line(block, line.s);
			strbuf_reset(&line);
			add_padded(&line, "", indent);
			word = slice_trim(word);
		}
		strbuf_addslice(&line, word);
		if (words.n)
			strbuf_addch(&line, ',');
	}
	block_add_line(block, line.s);
}

void block_add_below(struct block *block, const struct block *more)
{
	for (size_t i = 0; i < more->lines.n; i++)
		block_add_line(block, more->lines.v[i]);
}

void block_add_right(struct block *block, const struct block *more)
{
	_cleanup_(strbuf_done) struct strbuf line = STRBUF_INIT;
	struct block joined = {};
	size_t height = block->lines.n > more->lines.n ? block->lines.n : more->lines.n;

	for (size_t i = 0; i < height; i++) {
		strbuf_reset(&line);
		if (block->width > 0) {
			add_padded(&line, i < block->lines.n ? block->lines.v[i] : "",
				   block->width);
			strbuf_addch(&line, ' ');
		}
		strbuf_addstr(&line, i < more->lines.n ? more->lines.v[i] : "");
		block_add_line(&joined, line.s);
	}
	block_done(block);
	*block = joined;
}

void block_frame(struct block *block, const char *title, size_t width, enum frame_style style)
{
	_cleanup_(strbuf_done) struct strbuf line = STRBUF_INIT;
	struct block framed = {};

	if (width < block->width)
		width = block->width;
	if (width < columns(title))
		width = columns(title);
	strbuf_addf(&line, "%s %s ", frames[style].top_left, title);
	repeat(&line, frames[style].across, width - columns(title));
	strbuf_addstr(&line, frames[style].top_right);
	block_add_line(&framed, line.s);
	for (size_t i = 0; i < block->lines.n; i++) {
		strbuf_reset(&line);
		strbuf_addf(&line, "%s ", frames[style].down);
		add_padded(&line, block->lines.v[i], width);
		strbuf_addf(&line, " %s", frames[style].down);
		block_add_line(&framed, line.s);
	}
	strbuf_reset(&line);
	strbuf_addstr(&line, frames[style].bottom_left);
	repeat(&line, frames[style].across, width + 2);
	strbuf_addstr(&line, frames[style].bottom_right);
	block_add_line(&framed, line.s);
	block_done(block);
	*block = framed;
}

void block_print(const struct block *block, FILE *out)
{
	for (size_t i = 0; i < block->lines.n; i++)
		fprintf(out, "%s\n", block->lines.v[i]);
}
