/* SPDX-License-Identifier: GPL-2.0-only */
/* What an archive is made of, for the files of initramfs_*. */
#ifndef VM_INITRAMFS_TREE_H
#define VM_INITRAMFS_TREE_H

#include <stdint.h>
#include <sys/types.h>

#include "util/compiler.h"
#include "util/slice.h"
#include "util/vec.h"
#include "vm/initramfs.h"

/* Content. A file of this host that stands at several paths stays one file (hard links): the loader
 * takes a library that it meets twice for one by its inode. */
struct blob {
	struct blob *next;
	dev_t dev; /* 0, 0 for what is no file of this host */
	ino_t ino;
	char *from; /* for messages; NULL like dev */
	char *bytes;
	uint32_t n;
	unsigned links; /* entries that have it; none: it was replaced */
};

struct entry {
	char *path;    /* without the first slash */
	unsigned mode; /* with its type */
	unsigned major, minor;
	struct blob *blob; /* a file's content, a link's target; NULL: neither */
};

/* Sizes have 32 bits in the archive. A guest that unpacks more than that in all is not ours. */
#define INITRAMFS_BYTES_MAX UINT32_MAX

struct initramfs {
	VEC(struct entry) entries; /* by ascending path */
	struct blob *blobs;
	uint64_t bytes; /* of all content */
};

/* What the kernel would silently skip, and what would leave the root, does not get in. */
_must_check_ int initramfs_check_path(const char *path, struct err *err);

/* NULL when it is not there. @path is without the first slash. */
struct entry *initramfs_find(const struct initramfs *fs, struct slice path);

/* At @path, with the folders above; @what has no path yet. */
_must_check_ int initramfs_put(struct initramfs *fs, const char *path, struct entry what,
			       struct err *err);

/* Takes @bytes over. */
struct blob *initramfs_new_blob(struct initramfs *fs, char *bytes, size_t n);

/* Gives out the archive in pieces, the same ones for the same content. Ends with the first that the
 * sink does not take. */
_must_check_ int initramfs_emit(const struct initramfs *fs,
				int (*sink)(void *ctx, const char *bytes, size_t n), void *ctx);

/* initramfs_cached() with the folder @dir for a cache of at most @cap bytes; NULL: without one. */
_must_check_ int initramfs_cached_in(const struct initramfs *fs, const char *dir, uint64_t cap,
				     uint64_t *ret_unpacked, struct err *err);

#endif
