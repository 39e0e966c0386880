// SPDX-License-Identifier: LGPL-2.1-or-later
#include "util/strbuf.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/numeric_locale.h"

char strbuf_empty[1];

void strbuf_done(struct strbuf *sb)
{
	if (sb->cap)
		free(sb->s);
	*sb = (struct strbuf)STRBUF_INIT;
}

void strbuf_grow(struct strbuf *sb, size_t more)
{
	size_t need, cap;

	if (__builtin_add_overflow(sb->len, more, &need) || need > (size_t)-1 / 2)
		need = (size_t)-1 / 2;
	if (need < sb->cap)
		return;
	cap = sb->cap < 64 ? 64 : sb->cap + sb->cap / 2;
	if (cap <= need)
		cap = need + 1;
	sb->s = xreallocarray(sb->cap ? sb->s : NULL, cap, 1);
	sb->s[sb->len] = '\0';
	sb->cap = cap;
}

void strbuf_add(struct strbuf *sb, const void *bytes, size_t n)
{
	if (!n)
		return;
	strbuf_grow(sb, n);
	memcpy(sb->s + sb->len, bytes, n);
	sb->len += n;
	sb->s[sb->len] = '\0';
}

void strbuf_addstr(struct strbuf *sb, const char *s)
{
	strbuf_add(sb, s, strlen(s));
}

void strbuf_addch(struct strbuf *sb, char c)
{
	strbuf_add(sb, &c, 1);
}

void strbuf_addslice(struct strbuf *sb, struct slice s)
{
	strbuf_add(sb, s.s, s.n);
}

void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list ap)
{
	NUMERIC_LOCALE_SCOPE;
	va_list again;
	int n;

	strbuf_grow(sb, 64);
	va_copy(again, ap);
	n = vsnprintf(sb->s + sb->len, sb->cap - sb->len, fmt, ap);
	assert(n >= 0);
	if ((size_t)n >= sb->cap - sb->len) {
		strbuf_grow(sb, (size_t)n);
		vsnprintf(sb->s + sb->len, sb->cap - sb->len, fmt, again);
	}
	va_end(again);
	sb->len += (size_t)n;
}

void strbuf_addf(struct strbuf *sb, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(sb, fmt, ap);
	va_end(ap);
}

void strbuf_setlen(struct strbuf *sb, size_t len)
{
	assert(len <= sb->len);
	sb->len = len;
	if (sb->cap)
		sb->s[len] = '\0';
}

char *strbuf_steal(struct strbuf *sb)
{
	char *s = sb->cap ? sb->s : xstrdup("");

	*sb = (struct strbuf)STRBUF_INIT;
	return s;
}
