/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * zstd streams with limits. Writing compresses as it goes; reading trusts nothing in the file: no
 * size of its header, no window larger than 32 MiB, and what comes out is bounded.
 */
#ifndef ZFILE_ZFILE_H
#define ZFILE_ZFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/compiler.h"
#include "util/err.h"

struct zwriter;

/* Compresses into @fd, which stays the caller's. */
struct zwriter *zwriter_new(int fd, int level);
void zwriter_free(struct zwriter *z);

/* Takes all bytes: 0 or -errno. Has the form of a json_sink. */
_must_check_ int zwriter_write(void *zwriter, const char *bytes, size_t n);

/* Ends the stream; nothing can be written behind it. 0, or the first -errno. */
_must_check_ int zwriter_finish(struct zwriter *z);

struct zwriter_cost {
	uint64_t in_bytes, out_bytes;
	uint64_t compress_ns; /* CPU time inside the compressor */
};
struct zwriter_cost zwriter_cost(const struct zwriter *z);

struct zlimits {
	uint64_t out_bytes;  /* ceiling; 0: 1 GiB */
	uint64_t ratio;      /* out to in, once more than ratio_from came out; 0: 10,000 */
	uint64_t ratio_from; /* 0: 64 MiB */
};

#define ZFILE_WINDOW_LOG_MAX 25

struct zreader;

/* Reads from @fd, which stays the caller's. Failures of zreader_read() explain themselves in @err,
 * which may be NULL and outlives the reader. */
struct zreader *zreader_new(int fd, const struct zlimits *limits, struct err *err);
void zreader_free(struct zreader *z);

/* Up to @n bytes: how many, 0 at the end of the one stream, or -errno. Has the form of a json_fill.
 * -EBADMSG: not zstd, damaged, cut short, or something behind the end of the stream; -E2BIG: a
 * limit; any other: reading failed. The first failure stays. */
ssize_t zreader_read(void *zreader, char *buf, size_t n);

/* Whether the stream ends with a checksum of what comes out; known once something was read. Ours
 * do. It does not cover the compressed bytes themselves: a few of their bits mean nothing. */
bool zreader_has_checksum(const struct zreader *z);

#endif
