/* SPDX-License-Identifier: GPL-2.0-only */
/* Blocks of text that can be stacked, put side by side and framed. Every character of them takes
 * one column. */
#ifndef CLI_BLOCK_H
#define CLI_BLOCK_H

#include <stdio.h>

#include "util/slice.h"
#include "util/strv.h"

enum frame_style {
	FRAME_ASCII,
	FRAME_UTF8,
};

struct block {
	struct strv lines;
	size_t width; /* columns of the longest line */
};

void block_done(struct block *block);

void block_add_line(struct block *block, const char *line);

/* A label that takes @indent columns, then comma-separated words, continued below each other where
 * @width would be exceeded. */
void block_add_list(struct block *block, const char *label, size_t indent, struct slice words,
		    size_t width);

/* Below what is there. */
void block_add_below(struct block *block, const struct block *more);

/* To the right of what is there, one column between. */
void block_add_right(struct block *block, const struct block *more);

/* Puts a frame around it that has @title in its upper edge and room for @width columns, or more
 * when the block or the title need it. */
void block_frame(struct block *block, const char *title, size_t width, enum frame_style style);

void block_print(const struct block *block, FILE *out);

#endif
