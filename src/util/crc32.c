// SPDX-License-Identifier: LGPL-2.1-or-later
#include "util/crc32.h"

/*
 * Four bytes a step, through one table for each of them: everything a guest says is summed, and an
 * emulated CPU pays for each instruction. Tables are linear, so the compiler builds them from what
 * single bits become: the polynomial, shifted through the register once more for each row entry.
 */
#define PICK(i, bit, value) ((i) & (bit) ? (value) : 0u)
#define ENTRY(i, h, g, f, e, d, c, b, a)                                                           \
	(PICK(i, 0x80, h) ^ PICK(i, 0x40, g) ^ PICK(i, 0x20, f) ^ PICK(i, 0x10, e) ^               \
	 PICK(i, 0x08, d) ^ PICK(i, 0x04, c) ^ PICK(i, 0x02, b) ^ PICK(i, 0x01, a))
#define FOUR(i, ...)                                                                               \
	ENTRY(i, __VA_ARGS__), ENTRY((i) + 1, __VA_ARGS__), ENTRY((i) + 2, __VA_ARGS__),           \
		ENTRY((i) + 3, __VA_ARGS__)
#define SIXTEEN(i, ...)                                                                            \
	FOUR(i, __VA_ARGS__), FOUR((i) + 4, __VA_ARGS__), FOUR((i) + 8, __VA_ARGS__),              \
		FOUR((i) + 12, __VA_ARGS__)
#define SIXTY_FOUR(i, ...)                                                                         \
	SIXTEEN(i, __VA_ARGS__), SIXTEEN((i) + 16, __VA_ARGS__), SIXTEEN((i) + 32, __VA_ARGS__),   \
		SIXTEEN((i) + 48, __VA_ARGS__)
#define TABLE(...)                                                                                 \
	{                                                                                          \
		SIXTY_FOUR(0u, __VA_ARGS__), SIXTY_FOUR(64u, __VA_ARGS__),                         \
			SIXTY_FOUR(128u, __VA_ARGS__), SIXTY_FOUR(192u, __VA_ARGS__)               \
	}

/* tables[k][b]: what byte @b leaves in the register once k more bytes have passed. */
static const uint32_t tables[4][256] = {
	TABLE(0xedb88320, 0x76dc4190, 0x3b6e20c8, 0x1db71064, 0x0edb8832, 0x076dc419, 0xee0e612c,
	      0x77073096),
	TABLE(0x3b83984b, 0xf0794f05, 0x958424a2, 0x4ac21251, 0xc8d98a08, 0x646cc504, 0x32366282,
	      0x191b3141),
	TABLE(0xe1351b80, 0x709a8dc0, 0x384d46e0, 0x1c26a370, 0x0e1351b8, 0x0709a8dc, 0x0384d46e,
	      0x01c26a37),
	TABLE(0xed59b63b, 0x9b14583d, 0xa032af3e, 0x5019579f, 0xc5b428ef, 0x8f629757, 0xaa09c88b,
	      0xb8bc6765),
};

uint32_t crc32_of(struct slice bytes)
{
	const unsigned char *p = (const unsigned char *)bytes.s;
	uint32_t crc = 0xffffffff;
	size_t n = bytes.n;

	for (; n >= 4; n -= 4, p += 4) {
		crc ^= (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
		       (uint32_t)p[3] << 24;
		crc = tables[3][crc & 0xff] ^ tables[2][crc >> 8 & 0xff] ^
		      tables[1][crc >> 16 & 0xff] ^ tables[0][crc >> 24];
	}
	for (; n; n--, p++)
		crc = crc >> 8 ^ tables[0][(crc ^ *p) & 0xff];
	return ~crc;
}
