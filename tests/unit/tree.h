/* SPDX-License-Identifier: GPL-2.0-only */
/* A fixture tree made by the test itself, for cases of a few files. */
#ifndef TESTS_TREE_H
#define TESTS_TREE_H

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"
#include "util/root.h"
#include "util/slice.h"

struct tree {
	char dir[32];
	struct root root;
};

static inline void tree_init(struct tree *tree)
{
	struct err err;

	*tree = (struct tree){ .dir = "/tmp/ktstr-tree-XXXXXX" };
	assert_non_null(mkdtemp(tree->dir));
	assert_int_equal(root_open(&tree->root, tree->dir, &err), 0);
}

static inline int tree_remove(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void tree_done(struct tree *tree)
{
	root_close(&tree->root);
	assert_int_equal(nftw(tree->dir, tree_remove, 16, FTW_DEPTH | FTW_PHYS), 0);
}

/* Makes the folders above @path, relative to the tree. */
static inline void tree_parents(struct tree *tree, const char *path)
{
	for (const char *at = path; (at = strchr(at, '/')); at++) {
		char *folder = strndup(path, (size_t)(at - path));

		assert_non_null(folder);
		if (mkdirat(tree->root.fd, folder, 0755) < 0)
			assert_int_equal(errno, EEXIST);
		free(folder);
	}
}

static inline void tree_bytes(struct tree *tree, const char *path, struct slice bytes)
{
	int fd;

	tree_parents(tree, path);
	fd = openat(tree->root.fd, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes.s, bytes.n), bytes.n);
	close(fd);
}

static inline void tree_file(struct tree *tree, const char *path, const char *text)
{
	tree_bytes(tree, path, slice_of(text));
}

/* @target may lead nowhere, as links in /proc do. */
static inline void tree_link(struct tree *tree, const char *path, const char *target)
{
	tree_parents(tree, path);
	assert_int_equal(symlinkat(target, tree->root.fd, path), 0);
}

#endif
