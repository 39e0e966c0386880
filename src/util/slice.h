/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A view of bytes that belong to somebody else. Kernel files and file contents are bytes, not
 * strings: they may hold anything, NUL included.
 */
#ifndef UTIL_SLICE_H
#define UTIL_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct slice {
	const char *s;
	size_t n;
};

#define SLICE_LIT(lit) ((struct slice){ "" lit, sizeof(lit) - 1 })

static inline struct slice slice_of(const char *s)
{
	return (struct slice){ s, strlen(s) };
}

static inline bool slice_eq(struct slice a, struct slice b)
{
	return a.n == b.n && (!a.n || memcmp(a.s, b.s, a.n) == 0);
}

static inline bool slice_is(struct slice a, const char *s)
{
	return slice_eq(a, slice_of(s));
}

static inline bool slice_starts(struct slice a, const char *prefix)
{
	size_t n = strlen(prefix);

	return a.n >= n && memcmp(a.s, prefix, n) == 0;
}

/* Byte order, shorter first on a tie: the order of keys in every file we write. */
int slice_cmp(struct slice a, struct slice b);

/* Without ASCII white space at both ends. */
struct slice slice_trim(struct slice a);

/* Takes what stands before the first @sep off the front of @rest, and the separator with it.
 * Without a separator it takes all. Returns false once nothing is left to take. */
bool slice_cut(struct slice *rest, char sep, struct slice *ret_part);

/* Takes the next line off, without its line end. What stands behind the last line end is no line
 * (the file may have been cut in it) and stays in @rest. */
bool slice_line(struct slice *rest, struct slice *ret_line);

/* The next word: bytes between white space. False when there is none. */
bool slice_word(struct slice *rest, struct slice *ret_word);

/* Splits "KEY : VALUE" at the first @sep, both sides trimmed. False without @sep. */
bool slice_split(struct slice line, char sep, struct slice *ret_key, struct slice *ret_value);

#endif
