/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Private to src/json: bytes straight into the buffer of a writer. Room is reserved once for a
 * whole value; the put functions may scribble up to eight bytes behind what they return.
 */
#ifndef JSON_EMIT_H
#define JSON_EMIT_H

#include "json/scan.h"
#include "json/writer.h"

#define JSON_WRITER_BUFFER (64u << 10)

/* Enough for any number, with what the last put may scribble. */
#define JSON_NUMBER_ROOM 64

void json_flush(struct json_writer *w);

/* Where the next @n bytes go, @n being far below JSON_WRITER_BUFFER. */
static inline char *json_reserve(struct json_writer *w, size_t n)
{
	if (unlikely(JSON_WRITER_BUFFER - w->len < n))
		json_flush(w);
	return w->buf + w->len;
}

/* Everything up to @end is written. */
static inline void json_commit(struct json_writer *w, const char *end)
{
	w->len = (size_t)(end - w->buf);
}

/* Eight decimal digits of a number below 10^8, first digit in the lowest byte, as values 0 to 9:
 * split into two halves of four digits, then into pairs, then into digits, all lanes at once. The
 * factors are 1/100 and 1/10 in fixed point, exact for the range of their lanes. */
static inline uint64_t json_spread(uint32_t v)
{
	uint64_t x = v / 10000 | (uint64_t)(v % 10000) << 32, q;

	q = (x * 5243 >> 19) & UINT64_C(0x0000007f0000007f);
	x = q | (x - q * 100) << 16;
	q = (x * 103 >> 10) & UINT64_C(0x000f000f000f000f);
	return q | (x - q * 10) << 8;
}

static inline char *json_put_eight(char *o, uint32_t v)
{
	json_store64(o, json_spread(v) | JSON_ALL('0'));
	return o + 8;
}

/* A number from 1 to 10^8 - 1 without leading zeros. */
static inline char *json_put_short(char *o, uint32_t v)
{
	uint64_t x = json_spread(v);
	unsigned zeros = (unsigned)__builtin_ctzll(x) / 8;

	json_store64(o, (x | JSON_ALL('0')) >> 8 * zeros);
	return o + 8 - zeros;
}

_always_inline_ char *json_put_u64(char *o, uint64_t v)
{
	enum {
		EIGHT = 100000000,
	};

	if (v < 10) {
		*o = (char)('0' + v);
		return o + 1;
	}
	if (v < EIGHT)
		return json_put_short(o, (uint32_t)v);
	if (v < (uint64_t)EIGHT * EIGHT) {
		o = json_put_short(o, (uint32_t)(v / EIGHT));
		return json_put_eight(o, (uint32_t)(v % EIGHT));
	}
	o = json_put_short(o, (uint32_t)(v / EIGHT / EIGHT));
	o = json_put_eight(o, (uint32_t)(v / EIGHT % EIGHT));
	return json_put_eight(o, (uint32_t)(v % EIGHT));
}

static inline char *json_put_i64(char *o, int64_t v)
{
	if (v < 0)
		*o++ = '-';
	return json_put_u64(o, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

#endif
