/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A growing string: `s` is never NULL and always terminated, even right after STRBUF_INIT, and
 * may hold NUL bytes before `len`.
 */
#ifndef UTIL_STRBUF_H
#define UTIL_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

#include "util/compiler.h"
#include "util/slice.h"

struct strbuf {
	char *s;
	size_t len;
	size_t cap; /* bytes behind `s` incl. the terminator; 0 while nothing is allocated */
};

extern char strbuf_empty[1];

#define STRBUF_INIT                                                                                \
	{                                                                                          \
		.s = strbuf_empty                                                                  \
	}

/* Frees; the buffer is empty and usable again. */
void strbuf_done(struct strbuf *sb);

/* Makes room for @more bytes and the terminator behind len. */
void strbuf_grow(struct strbuf *sb, size_t more);

void strbuf_add(struct strbuf *sb, const void *bytes, size_t n);
void strbuf_addstr(struct strbuf *sb, const char *s);
void strbuf_addch(struct strbuf *sb, char c);
void strbuf_addslice(struct strbuf *sb, struct slice s);
/* Numbers are formatted as in the C locale. */
void strbuf_addf(struct strbuf *sb, const char *fmt, ...) _printf_(2, 3);
void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list ap) _printf_(2, 0);

/* Shortens to @len, which is at most the current length. Keeps the memory. */
void strbuf_setlen(struct strbuf *sb, size_t len);

/* The string, to be freed by the caller; the buffer is empty and usable again. */
char *strbuf_steal(struct strbuf *sb) __attribute__((returns_nonnull));

static inline void strbuf_reset(struct strbuf *sb)
{
	strbuf_setlen(sb, 0);
}

static inline struct slice strbuf_slice(const struct strbuf *sb)
{
	return (struct slice){ sb->s, sb->len };
}

#endif
