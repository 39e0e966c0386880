// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

#include "util/alloc.h"
#include "util/clock.h"
#include "zfile/zfile.h"

struct zwriter {
	int fd;
	int error; /* the first one */
	ZSTD_CCtx *ctx;
	struct zwriter_cost cost;
	size_t cap;
	char buf[];
};

struct zwriter *zwriter_new(int fd, int level)
{
	size_t cap = ZSTD_CStreamOutSize();
	struct zwriter *z = xmalloc(sizeof(*z) + cap);

	*z = (struct zwriter){ .fd = fd, .ctx = ZSTD_createCCtx(), .cap = cap };
	if (!z->ctx ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(z->ctx, ZSTD_c_compressionLevel, level)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(z->ctx, ZSTD_c_checksumFlag, 1)))
		z->error = -ENOMEM;
	return z;
}

void zwriter_free(struct zwriter *z)
{
	if (!z)
		return;
	ZSTD_freeCCtx(z->ctx);
	free(z);
}

/* A pipe or terminal may have been made non-blocking by whoever shares it with us. */
static int wait_writable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	return poll(&p, 1, -1) < 0 && errno != EINTR ? -errno : 0;
}

static int write_all(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t done = write(fd, bytes, n);
		int e = 0;

		if (done < 0 && errno == EAGAIN)
			e = wait_writable(fd);
		else if (done < 0 && errno != EINTR)
			e = -errno;
		if (e < 0)
			return e;
		if (done > 0) {
			bytes += done;
			n -= (size_t)done;
		}
	}
	return 0;
}

/* One call of the compressor, and what it gave to the file. Returns what ZSTD_compressStream2()
 * does, or an error of ours in z->error. */
static size_t step(struct zwriter *z, ZSTD_inBuffer *in, ZSTD_EndDirective end)
{
	ZSTD_outBuffer out = { z->buf, z->cap, 0 };
	uint64_t start = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	size_t left = ZSTD_compressStream2(z->ctx, &out, in, end);

	z->cost.compress_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - start;
	/* With a sound context it has no other way to fail. */
	if (ZSTD_isError(left))
		z->error = -ENOMEM;
	else
		z->error = write_all(z->fd, z->buf, out.pos);
	z->cost.out_bytes += out.pos;
	return left;
}

int zwriter_write(void *zwriter, const char *bytes, size_t n)
{
	struct zwriter *z = zwriter;
	ZSTD_inBuffer in = { bytes, n, 0 };

	while (in.pos < in.size && !z->error)
		step(z, &in, ZSTD_e_continue);
	z->cost.in_bytes += in.pos;
	return z->error;
}

int zwriter_finish(struct zwriter *z)
{
	ZSTD_inBuffer in = {};

	while (!z->error && step(z, &in, ZSTD_e_end) > 0)
		;
	return z->error;
}

struct zwriter_cost zwriter_cost(const struct zwriter *z)
{
	return z->cost;
}
