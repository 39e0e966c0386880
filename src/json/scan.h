/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Private to src/json: eight bytes of text at a time in one register. Byte 0 of the text is the
 * lowest byte of the register on every machine.
 */
#ifndef JSON_SCAN_H
#define JSON_SCAN_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "util/compiler.h"

/* The same byte in all eight places. */
#define JSON_ALL(byte) (UINT64_C(0x0101010101010101) * (byte))

static inline uint64_t json_load64(const char *p)
{
	uint64_t x;

	memcpy(&x, p, sizeof(x));
	return le64toh(x);
}

static inline void json_store64(char *p, uint64_t x)
{
	x = htole64(x);
	memcpy(p, &x, sizeof(x));
}

/* What may not stand as it is inside a JSON string, and everything that is not ASCII. */
static inline bool json_is_special(char c)
{
	unsigned char b = (unsigned char)c;

	return b < 0x20 || b >= 0x80 || b == '"' || b == '\\';
}

/* The top bit of each special byte. Subtraction borrows only out of a byte that is special itself,
 * so the lowest bit set is always true; those above it may not be. */
static inline uint64_t json_specials(uint64_t x)
{
	uint64_t quote = x ^ JSON_ALL('"'), slash = x ^ JSON_ALL('\\');

	return (((x - JSON_ALL(0x20)) & ~x) | ((quote - JSON_ALL(1)) & ~quote) |
		((slash - JSON_ALL(1)) & ~slash) | x) &
	       JSON_ALL(0x80);
}

/* The first special byte of [@p, @end), or @end. */
static inline const char *json_find_special(const char *p, const char *end)
{
	for (; end - p >= 8; p += 8) {
		uint64_t found = json_specials(json_load64(p));

		if (found)
			return p + __builtin_ctzll(found) / 8;
	}
	while (p < end && !json_is_special(*p))
		p++;
	return p;
}

/* How many of the eight bytes are digits, counted from the first. A carry reaches only bytes
 * behind one that is no digit. */
static inline unsigned json_count_digits(uint64_t x)
{
	uint64_t t = x ^ JSON_ALL('0');
	uint64_t other = ((t + JSON_ALL(0x80 - 10)) | t) & JSON_ALL(0x80);

	return other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
}

/* The value of eight digits; a byte of 0 counts as the digit 0. */
static inline uint64_t json_eight_digits(uint64_t x)
{
	x &= JSON_ALL(0x0f);
	x = (x * 10 + (x >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
	x = (x * 100 + (x >> 16)) & UINT64_C(0x0000ffff0000ffff);
	return (x * 10000 + (x >> 32)) & UINT64_C(0xffffffff);
}

/* The value of the first @n digits, 1 to 8. */
static inline uint64_t json_some_digits(uint64_t x, unsigned n)
{
	return json_eight_digits(x << (64 - 8 * n));
}

/* Bytes that json_scan_decimal() looks at. */
#define JSON_DECIMAL_ROOM 24

/* Reads an unsigned decimal and returns how many digits it has. 0 for what is not a plain number of
 * 64 bits: no digit, a leading zero, too large. The caller looks at the byte behind it. */
_always_inline_ unsigned json_scan_decimal(const char *p, uint64_t *ret)
{
	static const uint32_t power[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000 };
	uint64_t x = json_load64(p), v;
	unsigned n = json_count_digits(x);

	if (n < 8) {
		if (!n || (*p == '0' && n > 1))
			return 0;
		*ret = json_some_digits(x, n);
		return n;
	}
	if (*p == '0')
		return 0;
	v = json_eight_digits(x);
	x = json_load64(p + 8);
	n = json_count_digits(x);
	if (n < 8) {
		*ret = n ? v * power[n] + json_some_digits(x, n) : v;
		return 8 + n;
	}
	v = v * 100000000 + json_eight_digits(x);
	x = json_load64(p + 16);
	n = json_count_digits(x);
	if (n > 4)
		return 0;
	if (n && (__builtin_mul_overflow(v, power[n], &v) ||
		  __builtin_add_overflow(v, json_some_digits(x, n), &v)))
		return 0;
	*ret = v;
	return 16 + n;
}

#endif
