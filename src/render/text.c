// SPDX-License-Identifier: GPL-2.0-only
#include "render/text.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "util/escape.h"

void text_locale_enter(struct text_locale *locale)
{
	locale->utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	locale->before = locale->utf8 ? uselocale(locale->utf8) : (locale_t)0;
}

void text_locale_leave(struct text_locale *locale)
{
	if (!locale->utf8)
		return;
	uselocale(locale->before);
	freelocale(locale->utf8);
}

struct glyph {
	size_t bytes;
	int width; /* -1: to be escaped */
};

/* The first character of @s, which is not empty. */
static struct glyph glyph_at(struct slice s)
{
	unsigned char lead = (unsigned char)s.s[0];
	uint32_t cp = 0;
	size_t n;

	if (lead < 0x80)
		return (struct glyph){ 1, utf8_is_control(lead) ? -1 : 1 };
	n = utf8_decode(s, &cp);
	if (!n || utf8_is_control(cp))
		return (struct glyph){ n ? n : 1, -1 };
	return (struct glyph){ n, MB_CUR_MAX == 1 ? 1 : wcwidth((wchar_t)cp) };
}

static struct slice drop(struct slice s, size_t n)
{
	return (struct slice){ s.s + n, s.n - n };
}

/* A byte on its own is never valid UTF-8 beyond ASCII, so each becomes its own escape. */
static void add_escaped(struct strbuf *out, struct slice s)
{
	for (size_t i = 0; i < s.n; i++)
		escape_text(out, (struct slice){ s.s + i, 1 });
}

void text_add(struct strbuf *out, struct slice s)
{
	size_t plain = 0;

	while (plain < s.n) {
		struct glyph g = glyph_at(drop(s, plain));

		if (g.width >= 0) {
			plain += g.bytes;
			continue;
		}
		strbuf_add(out, s.s, plain);
		add_escaped(out, (struct slice){ s.s + plain, g.bytes });
		s = drop(s, plain + g.bytes);
		plain = 0;
	}
	strbuf_add(out, s.s, plain);
}

size_t text_width(struct slice s)
{
	size_t width = 0;

	while (s.n) {
		struct glyph g = glyph_at(s);

		width += g.width > 0 ? (size_t)g.width : 0;
		s = drop(s, g.bytes);
	}
	return width;
}

size_t text_word_width(struct slice s)
{
	size_t widest = 0;

	while (s.n) {
		size_t n = 1, width;

		while (n < s.n && !strchr(" ,/", s.s[n - 1]))
			n++;
		width = text_width((struct slice){ s.s, n - (s.s[n - 1] == ' ') });
		widest = width > widest ? width : widest;
		s = drop(s, n);
	}
	return widest;
}

/* Bytes of the longest front of @s that fits @width columns, marks on its last character included.
 */
static size_t front(struct slice s, size_t width)
{
	size_t n = 0;

	while (n < s.n) {
		struct glyph g = glyph_at(drop(s, n));
		size_t w = g.width > 0 ? (size_t)g.width : 0;

		if (w > width)
			break;
		width -= w;
		n += g.bytes;
	}
	return n;
}

void text_cut(struct strbuf *out, struct slice s, size_t width)
{
	assert(width > 0);
	if (front(s, width) == s.n) {
		strbuf_addslice(out, s);
		return;
	}
	strbuf_add(out, s.s, front(s, width - 1));
	strbuf_addstr(out, "…");
}

/* The last place behind one of @set in the first @n bytes, more than @early bytes in; else 0. */
static size_t last_behind(struct slice s, size_t n, const char *set, size_t early)
{
	for (size_t i = n; i > early; i--)
		if (strchr(set, s.s[i - 1]))
			return i;
	return 0;
}

/* Where to end a line whose first @n bytes fit. A word is kept whole whenever there is a space
 * before it. A place within a word counts in the second half only, so that one early slash does not
 * leave a line almost empty. */
static size_t line_end(struct slice s, size_t n)
{
	size_t end;

	if (s.s[n] == ' ')
		return n;
	end = last_behind(s, n, " ", 0);
	if (!end)
		end = last_behind(s, n, ",/", n / 2);
	if (!end)
		end = last_behind(s, n, "_", n / 2);
	return end ? end : n;
}

void text_wrap(struct strbuf *out, struct slice s, size_t width)
{
	assert(width > 0);
	for (;;) {
		size_t n = front(s, width);

		if (n == s.n)
			break;
		n = n ? line_end(s, n) : glyph_at(s).bytes;
		strbuf_add(out, s.s, n);
		s = drop(s, n < s.n && s.s[n] == ' ' ? n + 1 : n);
		if (!s.n)
			return;
		strbuf_addch(out, '\n');
	}
	strbuf_addslice(out, s);
}
