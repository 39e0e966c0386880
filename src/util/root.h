/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Every file of the observed machine is reached through a root: "/" in production, a fixture tree
 * in tests. Paths are relative ("proc/meminfo"); symbolic links, absolute ones too, stay inside.
 *
 * Readers return 1 read, 0 not there, -errno broken. Only regular files are read, so a FIFO or a
 * device in their place cannot hang us: it is -EMEDIUMTYPE, which no file of procfs or sysfs
 * answers
 * (-EOPNOTSUPP, for one, is what a kernel says of a file whose feature is off). A folder is
 * -EISDIR.
 */
#ifndef UTIL_ROOT_H
#define UTIL_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "util/compiler.h"
#include "util/err.h"
#include "util/strbuf.h"
#include "util/strv.h"

/* Another folder in the place of one below the root. */
struct root_graft {
	const char *at; /* "proc" */
	const char *dir;
	int fd;
};

#define ROOT_GRAFTS 3

struct root {
	int fd;
	const char *dir; /* as root_open() was given it, for messages */
	bool live;       /* "/": system calls about this machine agree with the files */
	/* Called with each path looked up and its outcome (as the readers return it); may be NULL.
	 */
	void (*seen)(void *ctx, const char *path, int outcome);
	void *seen_ctx;
	struct root_graft grafts[ROOT_GRAFTS];
	unsigned n_grafts;
};

#define ROOT_INIT                                                                                  \
	{                                                                                          \
		.fd = -1                                                                           \
	}

/* @dir outlives the root. */
_must_check_ int root_open(struct root *root, const char *dir, struct err *err);
void root_close(struct root *root);

/* From now on paths at and below @at lead into @dir, and symbolic links found there stay inside it;
 * the root is not live any more. @at is a single component; both outlive the root. At most
 * ROOT_GRAFTS. */
_must_check_ int root_graft(struct root *root, const char *at, const char *dir, struct err *err);

/* Appends @path as it is seen from outside of the root: "/proc/meminfo", "tree/proc/meminfo". */
void root_add_path(const struct root *root, const char *path, struct strbuf *out);

/* Caps for what root_read() takes; the file is refused (-EFBIG) beyond. */
#define ROOT_CAP_VALUE (64u * 1024)        /* one value or one line */
#define ROOT_CAP_FILE  (16u * 1024 * 1024) /* a whole table, a kernel configuration */

/* Replaces what @out holds by the whole file. A file of 0 bytes is read (1), with length 0. */
_must_check_ int root_read(const struct root *root, const char *path, size_t cap,
			   struct strbuf *out);

/* A one-value file as text: trimmed. An empty value is not there (0); one that holds a NUL byte
 * is broken (-EBADMSG). */
_must_check_ int root_read_text(const struct root *root, const char *path, struct strbuf *out);

/* A one-value file that holds a decimal number. -EINVAL or -ERANGE when it holds anything else. */
_must_check_ int root_read_u64(const struct root *root, const char *path, uint64_t *ret);

/* Names in a directory without "." and "..", ascending. */
_must_check_ int root_list(const struct root *root, const char *path, struct strv *ret_names);

/* An open file descriptor (>= 0) with O_CLOEXEC, or -errno incl. -ENOENT. */
_must_check_ int root_open_file(const struct root *root, const char *path, int flags);

bool root_exists(const struct root *root, const char *path);

/* What @path is, behind symbolic links: 1, 0 not there, -errno. */
_must_check_ int root_stat(const struct root *root, const char *path, struct stat *ret);

/* Replaces what @out holds by what the symbolic link says; it is not followed. -EINVAL for what is
 * no link. */
_must_check_ int root_readlink(const struct root *root, const char *path, struct strbuf *out);

#endif
