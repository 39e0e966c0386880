// SPDX-License-Identifier: GPL-2.0-only
#include "util/crc32.h"

#include "unit.h"
#include "util/compiler.h"

/* Bit by bit, as the polynomial is written down. */
static uint32_t plain_crc32(struct slice s)
{
	uint32_t crc = 0xffffffff;

	for (size_t i = 0; i < s.n; i++) {
		crc ^= (unsigned char)s.s[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

static void known_sums_are_right(void **state)
{
	static const struct {
		struct slice bytes;
		uint32_t sum;
	} cases[] = {
		{ SLICE_LIT(""), 0 },
		{ SLICE_LIT("abc"), 0x352441c2 },
		{ SLICE_LIT("123456789"), 0xcbf43926 },
		{ SLICE_LIT("\0\0\0\0"), 0x2144df1c },
		{ SLICE_LIT("\xff\xff\xff\xff"), 0xffffffff },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(crc32_of(cases[i].bytes), cases[i].sum);
}

static void every_byte_at_every_place_counts(void **state)
{
	char bytes[19] = "";

	(void)state;
	for (size_t n = 0; n <= sizeof(bytes); n++)
		for (size_t at = 0; at < n; at++)
			for (int byte = 0; byte < 256; byte++) {
				struct slice s = { bytes, n };

				bytes[at] = (char)byte;
				assert_int_equal(crc32_of(s), plain_crc32(s));
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_sums_are_right),
		cmocka_unit_test(every_byte_at_every_place_counts),
	};

	return cmocka_run_group_tests_name("util_crc32", tests, NULL, NULL);
}
