// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "util/alloc.h"
#include "zfile/zfile.h"

#define MAGIC           0xfd2fb528u
#define MAGIC_SKIPPABLE 0x184d2a50u /* and the fifteen behind it */
#define MAGIC_BYTES     4
#define HEADER_MAX      18
/* Bits of the byte behind the magic; the unused one is written as zero. */
#define DESCRIPTOR_CHECKSUM 0x04u
#define DESCRIPTOR_UNUSED   0x10u

enum state {
	STATE_NEW,     /* nothing is read yet */
	STATE_FRAME,   /* in the one frame */
	STATE_FLUSHED, /* all of the frame is out; behind it there must be nothing */
	STATE_END,
};

struct zreader {
	int fd;
	int error; /* the first one */
	struct err *err;
	struct zlimits limits;
	ZSTD_DCtx *ctx;
	enum state state;
	bool ended; /* the file has no more bytes */
	bool has_checksum;
	uint64_t in_bytes, out_bytes;
	unsigned long long told; /* what comes out, as the header has it */
	ZSTD_inBuffer in;
	size_t cap;
	char buf[];
};

struct zreader *zreader_new(int fd, const struct zlimits *limits, struct err *err)
{
	size_t cap = ZSTD_DStreamInSize();
	struct zreader *z = xmalloc(sizeof(*z) + cap);

	*z = (struct zreader){ .fd = fd, .err = err, .ctx = ZSTD_createDCtx(), .cap = cap };
	if (limits)
		z->limits = *limits;
	if (!z->limits.out_bytes)
		z->limits.out_bytes = UINT64_C(1) << 30;
	if (!z->limits.ratio)
		z->limits.ratio = 10000;
	if (!z->limits.ratio_from)
		z->limits.ratio_from = UINT64_C(64) << 20;
	z->in.src = z->buf;
	return z;
}

void zreader_free(struct zreader *z)
{
	if (!z)
		return;
	ZSTD_freeDCtx(z->ctx);
	free(z);
}

static int fail(struct zreader *z, int code, const char *text)
{
	z->error = code;
	return err_set(z->err, code, "%s", text);
}

static int wait_readable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, -1) < 0 && errno != EINTR ? -errno : 0;
}

/* Reads until @want bytes are there to be decoded, or the file ends. */
static int refill(struct zreader *z, size_t want)
{
	size_t kept = z->in.size - z->in.pos;

	memmove(z->buf, z->buf + z->in.pos, kept);
	z->in.pos = 0;
	z->in.size = kept;
	while (z->in.size < want && !z->ended) {
		ssize_t n = read(z->fd, z->buf + z->in.size, z->cap - z->in.size);
		int e = 0;

		if (n < 0 && errno == EAGAIN)
			e = wait_readable(z->fd);
		else if (n < 0 && errno != EINTR)
			e = -errno;
		if (e < 0) {
			z->error = e;
			return err_set(z->err, e, "cannot read: %s", strerror(-e));
		}
		if (n > 0)
			z->in.size += (size_t)n;
		z->ended = n == 0;
	}
	return 0;
}

static uint32_t magic_at(const struct zreader *z)
{
	uint32_t magic = 0;

	if (z->in.size - z->in.pos >= MAGIC_BYTES)
		for (size_t i = 0; i < MAGIC_BYTES; i++)
			magic |= (uint32_t)(unsigned char)z->buf[z->in.pos + i] << 8 * i;
	return magic;
}

static bool is_skippable(uint32_t magic)
{
	return (magic & ~0xfu) == MAGIC_SKIPPABLE;
}

/* libzstd would pass over skippable frames, decode old formats and take "" for a stream. */
static int begin(struct zreader *z)
{
	unsigned char descriptor;
	uint32_t magic;

	if (!z->ctx ||
	    ZSTD_isError(ZSTD_DCtx_setParameter(z->ctx, ZSTD_d_windowLogMax, ZFILE_WINDOW_LOG_MAX)))
		return fail(z, -ENOMEM, "out of memory");
	if (refill(z, HEADER_MAX) < 0)
		return z->error;
	magic = magic_at(z);
	if (z->in.size == 0)
		return fail(z, -EBADMSG, "not a zstd stream: empty");
	if (is_skippable(magic))
		return fail(z, -EBADMSG, "not one zstd stream: begins with a skippable frame");
	if (magic != MAGIC)
		return fail(z, -EBADMSG, "not a zstd stream");
	descriptor = z->in.size > MAGIC_BYTES ? (unsigned char)z->buf[MAGIC_BYTES] : 0;
	if (descriptor & DESCRIPTOR_UNUSED)
		return fail(z, -EBADMSG,
			    "zstd stream damaged: a bit of its header is set that "
			    "never is");
	z->has_checksum = descriptor & DESCRIPTOR_CHECKSUM;
	z->told = ZSTD_getFrameContentSize(z->buf, z->in.size);
	z->state = STATE_FRAME;
	return 0;
}

static int check_end(struct zreader *z)
{
	uint32_t magic;

	/* libzstd does not always look. */
	if (z->told != ZSTD_CONTENTSIZE_UNKNOWN && z->told != z->out_bytes)
		return fail(z, -EBADMSG, "zstd stream damaged: its header tells another size");
	if (refill(z, MAGIC_BYTES) < 0)
		return z->error;
	magic = magic_at(z);
	if (magic == MAGIC)
		return fail(z, -EBADMSG, "not one zstd stream: a second frame behind the first");
	if (is_skippable(magic))
		return fail(z, -EBADMSG, "not one zstd stream: a skippable frame behind the first");
	if (z->in.size)
		return fail(z, -EBADMSG, "bytes behind the end of the zstd stream");
	z->state = STATE_END;
	return 0;
}

static int fail_decoding(struct zreader *z, size_t code)
{
	switch (ZSTD_getErrorCode(code)) {
	case ZSTD_error_memory_allocation:
		return fail(z, -ENOMEM, "out of memory");
	case ZSTD_error_frameParameter_windowTooLarge:
		z->error = -E2BIG;
		return err_set(z->err, -E2BIG,
			       "refused as a decompression bomb: the zstd stream asks for a window "
			       "of more than %u MiB",
			       1u << (ZFILE_WINDOW_LOG_MAX - 20));
	case ZSTD_error_checksum_wrong:
		return fail(z, -EBADMSG, "zstd stream damaged: its checksum does not match");
	case ZSTD_error_dictionary_wrong:
		return fail(z, -EBADMSG, "the zstd stream needs a dictionary");
	default:
		z->error = -EBADMSG;
		return err_set(z->err, -EBADMSG, "zstd stream damaged at byte %" PRIu64 ": %s",
			       z->in_bytes, ZSTD_getErrorName(code));
	}
}

static int check_limits(struct zreader *z)
{
	uint64_t most;

	if (z->out_bytes > z->limits.out_bytes) {
		z->error = -E2BIG;
		return err_set(z->err, -E2BIG,
			       "refused as a decompression bomb: more than %" PRIu64
			       " bytes come out",
			       z->limits.out_bytes);
	}
	if (z->out_bytes > z->limits.ratio_from &&
	    !__builtin_mul_overflow(z->in_bytes, z->limits.ratio, &most) && z->out_bytes > most) {
		z->error = -E2BIG;
		return err_set(z->err, -E2BIG,
			       "refused as a decompression bomb: %" PRIu64
			       " bytes come out of %" PRIu64,
			       z->out_bytes, z->in_bytes);
	}
	return 0;
}

/* One call of the decoder: how many bytes it gave, or <0. */
static ssize_t step(struct zreader *z, ZSTD_outBuffer out)
{
	size_t before, left;

	if (z->in.pos == z->in.size && refill(z, 1) < 0)
		return z->error;
	before = z->in.pos;
	left = ZSTD_decompressStream(z->ctx, &out, &z->in);
	z->in_bytes += z->in.pos - before;
	z->out_bytes += out.pos;
	if (ZSTD_isError(left))
		return fail_decoding(z, left);
	if (check_limits(z) < 0)
		return z->error;
	if (left == 0)
		z->state = STATE_FLUSHED;
	else if (out.pos == 0 && z->ended && z->in.pos == z->in.size) {
		z->error = -EBADMSG;
		return err_set(z->err, -EBADMSG, "zstd stream cut short at byte %" PRIu64,
			       z->in_bytes);
	}
	return (ssize_t)out.pos;
}

ssize_t zreader_read(void *zreader, char *buf, size_t n)
{
	struct zreader *z = zreader;
	ssize_t got = 0;

	while (!z->error && !got && n && z->state != STATE_END)
		switch (z->state) {
		case STATE_NEW:
			(void)begin(z);
			break;
		case STATE_FRAME:
			got = step(z, (ZSTD_outBuffer){ buf, n, 0 });
			break;
		case STATE_FLUSHED:
			(void)check_end(z);
			break;
		case STATE_END:
			break;
		}
	return z->error ? z->error : got;
}

bool zreader_has_checksum(const struct zreader *z)
{
	return z->has_checksum;
}
