/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text as a terminal shows it, measured in its columns: CJK characters take two, combining marks
 * none. Widths come from the C library, which knows them only in a UTF-8 locale; everything here
 * but text_locale_enter() is to be called between enter and leave.
 */
#ifndef RENDER_TEXT_H
#define RENDER_TEXT_H

#include <locale.h>
#include <stddef.h>

#include "util/slice.h"
#include "util/strbuf.h"

/* The thread's character type for a while; the process locale is neither read nor changed. On a
 * machine without C.UTF-8 every character beyond ASCII counts as one column: columns may be off,
 * but nothing is lost. */
struct text_locale {
	locale_t utf8;
	locale_t before;
};

void text_locale_enter(struct text_locale *locale);
void text_locale_leave(struct text_locale *locale);

/* Appends @s on one line and harmless (util/escape.h); characters of no known width are escaped
 * too. */
void text_add(struct strbuf *out, struct slice s);

/* Columns taken by text that needs no escape: from text_add() or our own. So below. */
size_t text_width(struct slice s);

/* @width is at least 1. Appends what fits; a cut text ends in "…". */
void text_cut(struct strbuf *out, struct slice s, size_t width);

/* Columns of the longest piece that text_wrap() would rather not break: up to a space, or up to and
 * with a comma or slash. */
size_t text_word_width(struct slice s);

/* @s as lines of at most @width (at least 1) columns with '\n' between. Lines end behind a space
 * where they can; words without one behind a comma or slash, else behind an underscore. Only a
 * character wider than @width makes a wider line. */
void text_wrap(struct strbuf *out, struct slice s, size_t width);

#endif
