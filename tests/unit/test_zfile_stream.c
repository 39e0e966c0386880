// SPDX-License-Identifier: GPL-2.0-only
#include "zfile_source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/strbuf.h"
#include "zfile/zfile.h"

static void content_of(int fd, struct strbuf *out)
{
	char buf[64 * KIB];
	ssize_t n;

	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		strbuf_add(out, buf, (size_t)n);
	assert_int_equal(n, 0);
}

/* @piece bytes at a time. */
static void compress_ours(struct slice text, size_t piece, struct strbuf *out)
{
	_cleanup_close_ int fd = file_of((struct slice){});
	struct zwriter *z = zwriter_new(fd, 3);
	struct zwriter_cost cost;

	for (size_t at = 0; at < text.n; at += piece) {
		size_t n = text.n - at < piece ? text.n - at : piece;

		assert_int_equal(zwriter_write(z, text.s + at, n), 0);
	}
	assert_int_equal(zwriter_finish(z), 0);
	cost = zwriter_cost(z);
	zwriter_free(z);
	content_of(fd, out);
	assert_int_equal(cost.in_bytes, text.n);
	assert_int_equal(cost.out_bytes, out->len);
}

/* What comes out, @piece bytes at a time: 0 or the code, with its words. */
static int decompress(struct slice bytes, const struct zlimits *limits, size_t piece,
		      struct strbuf *out, struct err *err)
{
	_cleanup_close_ int fd = file_of(bytes);
	struct zreader *z = zreader_new(fd, limits, err);
	_cleanup_free_ char *buf = xmalloc(piece);
	ssize_t n;

	*err = (struct err){};
	while ((n = zreader_read(z, buf, piece)) > 0) {
		assert_true((size_t)n <= piece);
		strbuf_add(out, buf, (size_t)n);
	}
	/* The end stays the end, the first failure stays the failure. */
	assert_int_equal(zreader_read(z, buf, piece), n);
	zreader_free(z);
	assert_int_equal(n < 0, err->text[0] != '\0');
	return (int)n;
}

static void random_text(size_t n, struct strbuf *out)
{
	uint64_t state = n;

	while (out->len < n) {
		state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		strbuf_addf(out, "\"key%u\":%llu,", (unsigned)(state >> 60),
			    (unsigned long long)(state >> 40));
	}
	strbuf_setlen(out, n);
}

static void what_was_written_is_read_back(void **state)
{
	static const size_t sizes[] = { 0, 1, 100, 64 * KIB, 128 * KIB + 1, 3 * MIB };
	static const size_t pieces[] = { 1000, 64 * KIB, 8 * MIB };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes) * ARRAY_SIZE(pieces); i++) {
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT, packed = STRBUF_INIT,
						     back = STRBUF_INIT;
		size_t piece = pieces[i % ARRAY_SIZE(pieces)];
		struct err err;

		random_text(sizes[i / ARRAY_SIZE(pieces)], &text);
		compress_ours(strbuf_slice(&text), piece, &packed);
		assert_int_equal(decompress(strbuf_slice(&packed), NULL, piece, &back, &err), 0);
		assert_true(slice_eq(strbuf_slice(&text), strbuf_slice(&back)));
	}
}

static void a_stream_of_ours_has_a_checksum(void **state)
{
	static const size_t sizes[] = { 0, 1, 3 * MIB };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT, packed = STRBUF_INIT;

		random_text(sizes[i], &text);
		compress_ours(strbuf_slice(&text), 64 * KIB, &packed);
		assert_true(packed.s[4] & 4);
	}
}

static void the_reader_knows_whether_there_is_a_checksum(void **state)
{
	static const struct {
		const char *bytes;
		size_t n;
		bool has;
	} rows[] = {
		{ "\x28\xb5\x2f\xfd\x00\x58\x01\x00\x00", 9, false },
		{ "\x28\xb5\x2f\xfd\x04\x58\x01\x00\x00\x99\xe9\xd8\x51", 13, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_close_ int fd = file_of((struct slice){ rows[i].bytes, rows[i].n });
		struct zreader *z = zreader_new(fd, NULL, NULL);
		char byte;

		assert_int_equal(zreader_read(z, &byte, 1), 0);
		assert_int_equal(zreader_has_checksum(z), rows[i].has);
		zreader_free(z);
	}
}

/* One frame of libzstd itself, without a checksum. */
static void add_frame(struct strbuf *out, struct slice text)
{
	size_t bound = ZSTD_compressBound(text.n), n;
	_cleanup_free_ char *buf = xmalloc(bound);

	n = ZSTD_compress(buf, bound, text.s, text.n, 1);
	assert_false(ZSTD_isError(n));
	strbuf_add(out, buf, n);
}

#define SKIPPABLE "\x53\x2a\x4d\x18\x03\x00\x00\x00xyz"

static void what_is_not_one_whole_stream_is_refused_with_its_reason(void **state)
{
	static const struct {
		const char *label;
		struct slice before, after;
		bool with_frame;
		int code;
		const char *words;
	} rows[] = {
		{ "one frame", {}, {}, true, 0, "" },
		{ "nothing", {}, {}, false, -EBADMSG, "not a zstd stream: empty" },
		{ "text", {}, SLICE_LIT("{\"threads\":[]}"), false, -EBADMSG, "not a zstd stream" },
		{ "a cut magic",
		  {},
		  SLICE_LIT("\x28\xb5\x2f"),
		  false,
		  -EBADMSG,
		  "not a zstd stream" },
		{ "only the magic",
		  {},
		  SLICE_LIT("\x28\xb5\x2f\xfd"),
		  false,
		  -EBADMSG,
		  "cut short at byte 4" },
		{ "an old format",
		  {},
		  SLICE_LIT("\x27\xb5\x2f\xfd\x00\x58" EMPTY_RAW),
		  false,
		  -EBADMSG,
		  "not a zstd stream" },
		{ "gzip", {}, SLICE_LIT("\x1f\x8b\x08\x00"), false, -EBADMSG, "not a zstd stream" },
		{ "a byte behind", {}, SLICE_LIT("\n"), true, -EBADMSG, "bytes behind the end" },
		{ "zeros behind",
		  {},
		  SLICE_LIT("\0\0\0\0\0\0\0\0"),
		  true,
		  -EBADMSG,
		  "bytes behind the end" },
		{ "a second frame",
		  {},
		  SLICE_LIT("\x28\xb5\x2f\xfd\x00\x58" EMPTY_RAW),
		  true,
		  -EBADMSG,
		  "a second frame" },
		{ "skippable behind",
		  {},
		  SLICE_LIT(SKIPPABLE),
		  true,
		  -EBADMSG,
		  "a skippable frame behind" },
		{ "skippable before",
		  SLICE_LIT(SKIPPABLE),
		  {},
		  true,
		  -EBADMSG,
		  "begins with a skippable frame" },
		{ "only skippable",
		  SLICE_LIT(SKIPPABLE),
		  {},
		  false,
		  -EBADMSG,
		  "begins with a skippable frame" },
		{ "reserved bit",
		  {},
		  SLICE_LIT("\x28\xb5\x2f\xfd\x08\x58" EMPTY_RAW),
		  false,
		  -EBADMSG,
		  "damaged" },
		{ "unused bit",
		  {},
		  SLICE_LIT("\x28\xb5\x2f\xfd\x10\x58" EMPTY_RAW),
		  false,
		  -EBADMSG,
		  "damaged" },
		{ "a dictionary",
		  {},
		  SLICE_LIT("\x28\xb5\x2f\xfd\x01\x58\x07" EMPTY_RAW),
		  false,
		  -EBADMSG,
		  "needs a dictionary" },
		{ "a wrong checksum",
		  {},
		  SLICE_LIT("\x28\xb5\x2f\xfd\x04\x58" EMPTY_RAW "abcd"),
		  false,
		  -EBADMSG,
		  "checksum does not match" },
		{ "reserved block",
		  {},
		  SLICE_LIT("\x28\xb5\x2f\xfd\x00\x58\x07\x00\x00"),
		  false,
		  -EBADMSG,
		  "damaged at byte" },
		{ "another size in the header",
		  {},
		  SLICE_LIT("\x28\xb5\x2f\xfd\x40\x00\x25\xbd" EMPTY_RAW),
		  false,
		  -EBADMSG,
		  "its header tells another size" },
		{ "another size of one segment",
		  {},
		  SLICE_LIT("\x28\xb5\x2f\xfd\x20\x05" EMPTY_RAW),
		  false,
		  -EBADMSG,
		  "damaged" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(strbuf_done) struct strbuf bytes = STRBUF_INIT, out = STRBUF_INIT;
		struct err err;
		int code;

		strbuf_addslice(&bytes, rows[i].before);
		if (rows[i].with_frame)
			add_frame(&bytes, SLICE_LIT("{\"threads\":[]}"));
		strbuf_addslice(&bytes, rows[i].after);
		code = decompress(strbuf_slice(&bytes), NULL, 100, &out, &err);
		if (code != rows[i].code || !strstr(err.text, rows[i].words))
			fail_msg("%s: %d, '%s'", rows[i].label, code, err.text);
	}
}

static void a_stream_that_is_cut_anywhere_is_not_whole(void **state)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT, packed = STRBUF_INIT;

	(void)state;
	random_text(3000, &text);
	compress_ours(strbuf_slice(&text), 1000, &packed);
	for (size_t n = 0; n < packed.len; n++) {
		_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
		struct err err;

		assert_int_equal(decompress((struct slice){ packed.s, n }, NULL, 7000, &out, &err),
				 -EBADMSG);
		if (n > 4)
			assert_non_null(strstr(err.text, "cut short"));
	}
}

/* A bit that changes nothing of what comes out may go unseen: the checksum is of that. */
static void a_flipped_bit_never_changes_what_comes_out_unseen(void **state)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT, packed = STRBUF_INIT;
	size_t step = soak_rounds(1) > 1 ? 1 : 20;

	(void)state;
	random_text(20000, &text);
	compress_ours(strbuf_slice(&text), 1000, &packed);
	for (size_t bit = 0; bit < packed.len * 8; bit += step) {
		_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
		struct err err;
		int code;

		packed.s[bit / 8] = (char)(packed.s[bit / 8] ^ 1 << bit % 8);
		code = decompress(strbuf_slice(&packed), NULL, 7000, &out, &err);
		packed.s[bit / 8] = (char)(packed.s[bit / 8] ^ 1 << bit % 8);
		if (code == 0)
			assert_true(slice_eq(strbuf_slice(&text), strbuf_slice(&out)));
		else
			assert_true(code == -EBADMSG || code == -E2BIG);
	}
}

static void failures_of_the_file_keep_their_cause(void **state)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	_cleanup_close_ int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	_cleanup_close_ int folder = open("/", O_RDONLY | O_CLOEXEC);
	struct zwriter *w = zwriter_new(full, 3);
	struct err err = {};
	struct zreader *r = zreader_new(folder, NULL, &err);
	char byte;

	(void)state;
	random_text(3 * MIB, &text);
	assert_int_equal(zwriter_write(w, text.s, text.len), -ENOSPC);
	assert_int_equal(zwriter_write(w, text.s, 1), -ENOSPC);
	assert_int_equal(zwriter_finish(w), -ENOSPC);
	zwriter_free(w);
	assert_int_equal(zreader_read(r, &byte, 1), -EISDIR);
	assert_string_equal(err.text, "cannot read: Is a directory");
	zreader_free(r);
	zwriter_free(NULL);
	zreader_free(NULL);
}

static void a_pipe_that_does_not_block_is_waited_for(void **state)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct zreader *r;
	char buf[64 * KIB];
	size_t total = 0;
	int ends[2], status;
	ssize_t n;
	pid_t pid;

	(void)state;
	random_text(3 * MIB, &text);
	assert_int_equal(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct zwriter *w = zwriter_new(ends[1], 3);
		int e = zwriter_write(w, text.s, text.len);

		_exit(e < 0 || zwriter_finish(w) < 0);
	}
	close(ends[1]);
	r = zreader_new(ends[0], NULL, NULL);
	while ((n = zreader_read(r, buf, sizeof(buf))) > 0)
		total += (size_t)n;
	assert_int_equal(n, 0);
	assert_int_equal(total, text.len);
	zreader_free(r);
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read_back),
		cmocka_unit_test(a_stream_of_ours_has_a_checksum),
		cmocka_unit_test(the_reader_knows_whether_there_is_a_checksum),
		cmocka_unit_test(what_is_not_one_whole_stream_is_refused_with_its_reason),
		cmocka_unit_test(a_stream_that_is_cut_anywhere_is_not_whole),
		cmocka_unit_test(a_flipped_bit_never_changes_what_comes_out_unseen),
		cmocka_unit_test(failures_of_the_file_keep_their_cause),
		cmocka_unit_test(a_pipe_that_does_not_block_is_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
