// SPDX-License-Identifier: GPL-2.0-only
#include "zfile_source.h"

#include <errno.h>
#include <string.h>

#include "util/cleanup.h"
#include "util/strbuf.h"
#include "zfile/zfile.h"

/* One block of @n times the same byte, at most 128 KiB; the window is 256 KiB. */
static void add_run(struct strbuf *out, unsigned n, bool last)
{
	unsigned head = (unsigned)last | 1u << 1 | n << 3;

	strbuf_addch(out, (char)head);
	strbuf_addch(out, (char)(head >> 8));
	strbuf_addch(out, (char)(head >> 16));
	strbuf_addch(out, ' ');
}

/* @total bytes out of four for each 128 KiB. */
static void make_bomb(struct strbuf *out, uint64_t total)
{
	strbuf_addslice(out, SLICE_LIT("\x28\xb5\x2f\xfd\x00\x40"));
	for (; total > 128 * KIB; total -= 128 * KIB)
		add_run(out, 128 * KIB, false);
	add_run(out, (unsigned)total, true);
}

/* How many bytes come out without being kept, or the failure. */
static int64_t count_out(struct slice bytes, const struct zlimits *limits, struct err *err)
{
	_cleanup_close_ int fd = file_of(bytes);
	struct zreader *z = zreader_new(fd, limits, err);
	static char buf[64 * KIB];
	int64_t total = 0;
	ssize_t n;

	*err = (struct err){};
	while ((n = zreader_read(z, buf, sizeof(buf))) > 0)
		total += n;
	zreader_free(z);
	return n < 0 ? n : total;
}

static void each_limit_holds_exactly(void **state)
{
	static const struct {
		const char *label;
		uint64_t total;
		struct zlimits limits;
		int64_t expect;
		const char *words;
	} rows[] = {
		{ "as many as allowed", 300000, { .out_bytes = 300000 }, 300000, "" },
		{ "one more",
		  300001,
		  { .out_bytes = 300000 },
		  -E2BIG,
		  "decompression bomb: more than 300000 bytes" },
		{ "a ratio is not looked at before",
		  128 * KIB,
		  { .ratio = 1, .ratio_from = 128 * KIB },
		  128 * KIB,
		  "" },
		{ "but behind it is",
		  128 * KIB + 1,
		  { .ratio = 1, .ratio_from = 128 * KIB },
		  -E2BIG,
		  "decompression bomb: 131073 bytes come out of" },
		{ "by default 64 MiB are free", 64 * MIB, {}, 64 * MIB, "" },
		{ "and not one more", 64 * MIB + 1, {}, -E2BIG, "decompression bomb: 67108865" },
		{ "unless the ratio may be higher", 80 * MIB, { .ratio = 40000 }, 80 * MIB, "" },
		{ "a ratio past all numbers", 80 * MIB, { .ratio = UINT64_MAX }, 80 * MIB, "" },
		{ "the ceiling of 1 GiB", UINT64_C(1) << 30, { .ratio = 40000 }, 1 << 30, "" },
		{ "and one more",
		  (UINT64_C(1) << 30) + 1,
		  { .ratio = 40000 },
		  -E2BIG,
		  "more than 1073741824 bytes" },
		{ "a ceiling that is raised",
		  (UINT64_C(1) << 30) + 1,
		  { .ratio = 40000, .out_bytes = UINT64_C(2) << 30 },
		  (1 << 30) + 1,
		  "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(strbuf_done) struct strbuf bomb = STRBUF_INIT;
		struct err err;
		int64_t got;

		make_bomb(&bomb, rows[i].total);
		got = count_out(strbuf_slice(&bomb), &rows[i].limits, &err);
		if (got != rows[i].expect || !strstr(err.text, rows[i].words))
			fail_msg("%s: %lld, '%s'", rows[i].label, (long long)got, err.text);
	}
}

/* Noise in front raises what may come out behind it: the ratio is one of the whole. */
static void a_ratio_of_just_ten_thousand_is_accepted(void **state)
{
	struct err err;

	(void)state;
	for (int more = 0; more <= 1; more++) {
		_cleanup_(strbuf_done) struct strbuf bytes = STRBUF_INIT;
		const unsigned noise = 10000 - 6 - 3 - 4 * 763;
		unsigned head = 0u << 1 | noise << 3;
		int64_t got;

		/* 10,000 bytes in all: header, one raw block, runs. */
		strbuf_addslice(&bytes, SLICE_LIT("\x28\xb5\x2f\xfd\x00\x40"));
		strbuf_addch(&bytes, (char)head);
		strbuf_addch(&bytes, (char)(head >> 8));
		strbuf_addch(&bytes, (char)(head >> 16));
		for (unsigned i = 0; i < noise; i++)
			strbuf_addch(&bytes, 'n');
		for (unsigned left = 100000000 - noise + (unsigned)more, runs = 763; runs; runs--) {
			unsigned n = left < 128 * KIB ? left : 128 * KIB;

			add_run(&bytes, n, runs == 1);
			left -= n;
			assert_true(runs > 1 || left == 0);
		}
		assert_int_equal(bytes.len, 10000);
		got = count_out(strbuf_slice(&bytes), NULL, &err);
		assert_int_equal(got, more ? -E2BIG : 100000000);
	}
}

static void a_window_of_32_mib_is_the_largest(void **state)
{
	static const struct {
		const char *label;
		const char *bytes;
		size_t n;
		int code;
	} rows[] = {
		{ "32 MiB", "\x28\xb5\x2f\xfd\x00\x78" EMPTY_RAW, 9, 0 },
		{ "36 MiB", "\x28\xb5\x2f\xfd\x00\x79" EMPTY_RAW, 9, -E2BIG },
		{ "64 MiB", "\x28\xb5\x2f\xfd\x00\x80" EMPTY_RAW, 9, -E2BIG },
		{ "3.75 TiB", "\x28\xb5\x2f\xfd\x00\xff" EMPTY_RAW, 9, -E2BIG },
		{ "one segment of 1 GiB", "\x28\xb5\x2f\xfd\xa0\x00\x00\x00\x40" EMPTY_RAW, 12,
		  -E2BIG },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct err err;
		int64_t got = count_out((struct slice){ rows[i].bytes, rows[i].n }, NULL, &err);

		if (got != rows[i].code)
			fail_msg("%s: %lld, '%s'", rows[i].label, (long long)got, err.text);
		assert_int_equal(got < 0, strstr(err.text, "more than 32 MiB") != NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_limit_holds_exactly),
		cmocka_unit_test(a_ratio_of_just_ten_thousand_is_accepted),
		cmocka_unit_test(a_window_of_32_mib_is_the_largest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
