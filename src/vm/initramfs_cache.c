// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compressed archives by content. A hash only leads to the file: what is in it is decompressed and
 * compared with what it should be, which takes about as long as a hash that one could trust and
 * also finds damage. So neither a collision nor a broken disk nor another's file can do harm.
 *
 * Files appear whole and are never changed, so nobody has to wait for anybody; that the oldest are
 * removed hurts no one who has them open. A cache that cannot be used makes us slower, no more.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/folder.h"
#include "util/newfile.h"
#include "vm/initramfs_tree.h"
#include "zfile/zfile.h"

#define CACHE_BYTES (UINT64_C(512) << 20)
/* Measured with 15 MiB of programs and libraries. Checking a cached one takes the host 14 ms (22 at
 * level 1), unpacking the guest 137 million instructions (235 at level 1, 263 at level 3, 40 for
 * what is not compressed), which counts where every instruction is emulated. It is two thirds of
 * the size (half at level 1). */
#define LEVEL (-5)

/* By words: the bytewise one of util/hash.h takes 16 ms for 14 MiB, as long as checking them. */
struct content {
	uint64_t a, b;
	uint64_t n;
};

static void mix(struct content *c, uint64_t word)
{
	c->a = (c->a ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	c->a ^= c->a >> 32;
	c->b = (c->b + word) * UINT64_C(0xd6e8feb86659fd93);
	c->b = c->b << 29 | c->b >> 35;
}

/* The pieces are the same for the same content, so their ends may count. */
static int hash_piece(void *ctx, const char *bytes, size_t n)
{
	struct content *c = ctx;
	uint64_t word;

	c->n += n;
	mix(c, n);
	for (; n >= sizeof(word); n -= sizeof(word), bytes += sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		mix(c, word);
	}
	word = 0;
	memcpy(&word, bytes, n);
	mix(c, word);
	return 0;
}

struct comparison {
	struct zreader *z;
	size_t at, n; /* what is left of buf */
	char buf[128 << 10];
};

static void comparison_free(struct comparison **c)
{
	if (*c)
		zreader_free((*c)->z);
	free(*c);
}

static int compare_piece(void *ctx, const char *bytes, size_t n)
{
	struct comparison *c = ctx;

	while (n) {
		size_t part = c->n - c->at;

		if (!part) {
			ssize_t got = zreader_read(c->z, c->buf, sizeof(c->buf));

			if (got <= 0)
				return -EBADMSG;
			c->at = 0;
			c->n = (size_t)got;
			continue;
		}
		if (part > n)
			part = n;
		if (memcmp(bytes, c->buf + c->at, part) != 0)
			return -EBADMSG;
		c->at += part;
		bytes += part;
		n -= part;
	}
	return 0;
}

static bool is_whole(const struct initramfs *fs, int fd, uint64_t unpacked)
{
	const struct zlimits limits = { .out_bytes = unpacked, .ratio = UINT64_MAX };
	_cleanup_(comparison_free) struct comparison *c = xmalloc(sizeof(*c));

	c->z = zreader_new(fd, &limits, NULL);
	c->at = c->n = 0;
	return initramfs_emit(fs, compare_piece, c) == 0 && c->at == c->n &&
	       zreader_read(c->z, c->buf, sizeof(c->buf)) == 0;
}

/* The file, if it is there and right; else -1. Nobody but us and root may be able to change it once
 * it was looked at. */
static int find(const struct initramfs *fs, const char *path, uint64_t unpacked)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    (st.st_uid != geteuid() && st.st_uid != 0) || st.st_mode & 0022 ||
	    !is_whole(fs, fd, unpacked) || lseek(fd, 0, SEEK_SET) < 0)
		return -1;
	/* So that it is the youngest. Another's file keeps its time. */
	(void)!futimens(fd, NULL);
	return take_fd(&fd);
}

static int compress(const struct initramfs *fs, struct err *err)
{
	_cleanup_close_ int fd = memfd_create("initramfs", MFD_CLOEXEC);
	struct zwriter *z;
	int r;

	if (fd < 0)
		return err_set(err, -errno, "no memory for an initramfs: %m");
	z = zwriter_new(fd, LEVEL);
	r = initramfs_emit(fs, zwriter_write, z);
	if (r == 0)
		r = zwriter_finish(z);
	zwriter_free(z);
	if (r < 0 || lseek(fd, 0, SEEK_SET) < 0)
		return err_set(err, r < 0 ? r : -errno, "cannot compress the initramfs: %s",
			       strerror(r < 0 ? -r : errno));
	return take_fd(&fd);
}

struct cached {
	char *name;
	uint64_t bytes;
	struct timespec used;
};

static int by_use(const void *a, const void *b)
{
	const struct cached *x = a, *y = b;

	if (x->used.tv_sec != y->used.tv_sec)
		return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
	return (x->used.tv_nsec > y->used.tv_nsec) - (x->used.tv_nsec < y->used.tv_nsec);
}

/* Removes what was not used for longest, until @cap bytes are left. Files that somebody who was
 * killed has left here count as well. */
static void trim(const char *dir, uint64_t cap)
{
	_cleanup_closedir_ DIR *d = opendir(dir);
	VEC(struct cached) files = {};
	const struct dirent *e;
	uint64_t sum = 0;

	while (d && (e = readdir(d))) {
		struct stat st;

		if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISREG(st.st_mode))
			continue;
		sum += (uint64_t)st.st_size;
		vec_push(&files, (struct cached){ .name = xstrdup(e->d_name),
						  .bytes = (uint64_t)st.st_size,
						  .used = st.st_mtim });
	}
	if (files.n)
		qsort(files.v, files.n, sizeof(*files.v), by_use);
	for (size_t i = 0; i < files.n; i++) {
		if (sum > cap && unlinkat(dirfd(d), files.v[i].name, 0) == 0)
			sum -= files.v[i].bytes;
		free(files.v[i].name);
	}
	vec_done(&files);
}

static int copy_all(int to, int from, off_t size)
{
	off_t at = 0;

	while (at < size) {
		ssize_t n = sendfile(to, from, &at, (size_t)(size - at));

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n == 0)
			return -EIO;
	}
	return 0;
}

/* Whether it works or not, we have the archive. */
static void store(int fd, const char *dir, const char *path, uint64_t cap)
{
	struct newfile f = NEWFILE_INIT;
	struct stat st;

	if (fstat(fd, &st) < 0 || (uint64_t)st.st_size > cap)
		return;
	/* What is there is not what it should be, and would hand its mode on. */
	(void)!unlink(path);
	if (newfile_open(&f, path, NULL) == 0 && copy_all(f.fd, fd, st.st_size) == 0 &&
	    fchmod(f.fd, 0600) == 0 && newfile_commit(&f, NULL) == 0)
		trim(dir, cap);
	newfile_done(&f);
}

int initramfs_cached_in(const struct initramfs *fs, const char *dir, uint64_t cap,
			uint64_t *ret_unpacked, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;
	struct content content = {};
	int fd;

	(void)!initramfs_emit(fs, hash_piece, &content);
	*ret_unpacked = content.n;
	if (!dir)
		return compress(fs, err);
	strbuf_addf(&path, "%s/%016" PRIx64 "%016" PRIx64 ".cpio.zst", dir, content.a, content.b);
	fd = find(fs, path.s, content.n);
	if (fd >= 0)
		return fd;
	fd = compress(fs, err);
	if (fd >= 0)
		store(fd, dir, path.s, cap);
	return fd;
}

int initramfs_cached(const struct initramfs *fs, uint64_t *ret_unpacked, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf dir = STRBUF_INIT;
	bool there = folder_cache(&dir, NULL) == 0;

	strbuf_addstr(&dir, "/initramfs");
	there = there && folder_make(dir.s, NULL) == 0;
	return initramfs_cached_in(fs, there ? dir.s : NULL, CACHE_BYTES, ret_unpacked, err);
}
