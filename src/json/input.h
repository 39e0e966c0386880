/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Private to src/json: the bytes of a reader, with look-ahead. Looking ahead past the end, past a
 * limit or into a read error is harmless; it becomes a failure where the bytes are really needed.
 * So a failure does not depend on how the input was cut into pieces.
 */
#ifndef JSON_INPUT_H
#define JSON_INPUT_H

#include <assert.h>

#include "json/reader.h"

#define JSON_WINDOW (64u << 10)

/* Reads until @n bytes stand at r->p or nothing more comes; how many stand there now. Pointers into
 * the window are stale afterwards. */
size_t json_refill(struct json_reader *r, size_t n);

/* The same, cheap when they are there already. @n is far below JSON_WINDOW. */
static inline size_t json_ahead(struct json_reader *r, size_t n)
{
	size_t have = (size_t)(r->end - r->p);

	return likely(have >= n) ? have : json_refill(r, n);
}

static inline uint64_t json_offset(const struct json_reader *r)
{
	return r->start_offset + (uint64_t)(r->p - r->start);
}

int json_skip_blank_slow(struct json_reader *r);

/* Skips white space. 0 or <0, also at the end of input. */
static inline int json_skip_blank(struct json_reader *r)
{
	if (likely(r->p < r->end && (unsigned char)*r->p > ' '))
		return 0;
	return json_skip_blank_slow(r);
}

/* Every value is read between these two. */
static inline int json_begin_value(struct json_reader *r)
{
	if (unlikely(r->error))
		return r->error;
	assert(r->value_due);
	return json_skip_blank(r);
}

static inline void json_end_value(struct json_reader *r)
{
	r->value_due = false;
	r->level_empty = false;
}

/* json_fail() at an offset on the current line. */
int json_fail_at(struct json_reader *r, uint64_t offset, int code, const char *fmt, ...)
	_printf_(4, 5);

/* Fails: at r->p stands something else than @expected, or nothing. */
int json_unexpected(struct json_reader *r, const char *expected);

/* Fails because more bytes are needed than there are. */
int json_fail_at_end(struct json_reader *r, const char *expected);

/* The string at r->p, which is a quote. */
int json_scan_string(struct json_reader *r, struct slice *ret);

static inline bool json_is_number_byte(char c)
{
	return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/* The number at r->p, checked but not passed over. */
int json_scan_number(struct json_reader *r, struct slice *ret);

#endif
