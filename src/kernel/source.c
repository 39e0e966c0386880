// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel/debian.h"
#include "kernel/options.h"
#include "util/cleanup.h"
#include "util/folder.h"
#include "util/hash.h"
#include "util/root.h"

#define PACKAGE   "linux-source-"
#define LABEL_MAX 64
#define DEPTH_MAX 64

void kernel_source_done(struct kernel_source *s)
{
	strbuf_done(&s->identity);
	strbuf_done(&s->label);
}

static bool has_file(const char *dir, const char *name)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/%s", dir, name);
	return access(path.s, F_OK) == 0;
}

/* Letters, digits and little else, so that a key can stand anywhere without quotes. */
static void set_label(struct kernel_source *s, const char *text)
{
	for (; *text && s->label.len < LABEL_MAX; text++) {
		bool plain = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
			     (*text >= '0' && *text <= '9') || *text == '+' ||
			     (*text == '.' && s->label.len);

		strbuf_addch(&s->label, plain ? *text : '-');
	}
}

/*
 * The hash of a tree: names, sizes and times of its files, as make(1) would look at them. The order
 * of a folder's names is not ours, so the hashes of its files are added up.
 */
static int hash_tree(int dir, const char *name, uint64_t above, unsigned depth, uint64_t *sum)
{
	_cleanup_closedir_ DIR *d = NULL;
	const struct dirent *e;
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), r = 0;

	if (fd < 0)
		return -errno;
	d = fdopendir(fd);
	if (!d || depth == 0) {
		r = d ? -ELOOP : -errno;
		if (!d)
			close(fd);
		return r;
	}
	while (r == 0 && (e = readdir(d))) {
		struct stat st;
		uint64_t h;

		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
		    strcmp(e->d_name, ".git") == 0)
			continue;
		if (fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			return -errno;
		h = hash_bytes(above, slice_of(e->d_name));
		if (S_ISDIR(st.st_mode)) {
			r = hash_tree(fd, e->d_name, hash_bytes(h, SLICE_LIT("/")), depth - 1, sum);
			continue;
		}
		const int64_t facts[] = { st.st_size, st.st_mode, st.st_mtim.tv_sec,
					  st.st_mtim.tv_nsec };

		*sum += hash_bytes(h, (struct slice){ (const char *)facts, sizeof(facts) });
	}
	return r;
}

static int open_tree(struct kernel_source *s, struct err *err)
{
	_cleanup_free_ char *path = realpath(s->name, NULL);
	uint64_t sum = 0;
	int r;

	if (!path || !has_file(path, "Makefile") || !has_file(path, "Kconfig"))
		return err_set(err, -EINVAL, "'%s' is no source tree of a kernel", s->name);
	/* Kbuild refuses them only after having written to them. */
	if (has_file(path, ".config") || has_file(path, "include/config"))
		return err_set(
			err, -EEXIST,
			"'%s' is a tree in which a kernel was configured or built, which "
			"keeps others from building elsewhere; type 'make mrproper' there, or "
			"boot what it holds with --kernel",
			s->name);
	r = hash_tree(AT_FDCWD, path, HASH_INIT, DEPTH_MAX, &sum);
	if (r < 0)
		return err_set(err, r, "'%s': %s", s->name, strerror(-r));
	strbuf_addf(&s->identity, "%s %016" PRIx64, path, sum);
	strbuf_addstr(&s->label, "local");
	return 0;
}

static int open_tarball(struct kernel_source *s, struct err *err)
{
	_cleanup_close_ int fd = open(s->name, O_RDONLY | O_CLOEXEC);
	const char *slash = strrchr(s->name, '/'), *base = slash ? slash + 1 : s->name, *end;
	_cleanup_(strbuf_done) struct strbuf label = STRBUF_INIT;
	uint64_t hash = HASH_INIT;
	char buf[65536];
	ssize_t n;

	if (fd < 0)
		return err_set(err, -errno, "'%s': %s", s->name, strerror(errno));
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		hash = hash_bytes(hash, (struct slice){ buf, (size_t)n });
	if (n < 0)
		return err_set(err, -errno, "'%s': %s", s->name, strerror(errno));
	end = strstr(base, ".tar");
	strbuf_add(&label, base, end ? (size_t)(end - base) : strlen(base));
	set_label(s, label.s);
	strbuf_addf(&s->identity, "%s %016" PRIx64, base, hash);
	return 0;
}

static int open_package(struct work *w, struct kernel_source *s, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf version = STRBUF_INIT;
	int r = debian_version(w, s->name, &version, err);

	if (r < 0)
		return r;
	strbuf_addf(&s->identity, "%s %s", s->name, version.s);
	set_label(s, version.s);
	return 0;
}

int kernel_source_open(struct work *w, const char *name, struct kernel_source *ret, struct err *err)
{
	struct stat st;

	ret->name = name;
	if (stat(name, &st) == 0 && S_ISDIR(st.st_mode)) {
		ret->kind = KERNEL_SOURCE_TREE;
		return open_tree(ret, err);
	}
	if (stat(name, &st) == 0 && S_ISREG(st.st_mode)) {
		ret->kind = KERNEL_SOURCE_TARBALL;
		return open_tarball(ret, err);
	}
	if (!slice_starts(slice_of(name), PACKAGE))
		return err_set(err, -ENOENT,
			       "'%s' is no folder, no file and no package " PACKAGE "*", name);
	ret->kind = KERNEL_SOURCE_PACKAGE;
	return open_package(w, ret, err);
}

/* The only folder below @dir that is a source tree. */
static int find_tree(const char *dir, struct strbuf *ret, struct err *err)
{
	_cleanup_(strv_done) struct strv names = STRV_INIT;
	_cleanup_(root_close) struct root root = ROOT_INIT;
	int r = root_open(&root, dir, err);

	if (r < 0)
		return r;
	r = root_list(&root, ".", &names);
	for (size_t i = 0; r > 0 && i < names.n; i++) {
		_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;

		strbuf_addf(&path, "%s/%s", dir, names.v[i]);
		if (!has_file(path.s, "Makefile") || !has_file(path.s, "Kconfig"))
			continue;
		strbuf_addslice(ret, strbuf_slice(&path));
		return 0;
	}
	return err_set(err, -EBADMSG, "no source tree of a kernel in it");
}

static int unpack_tarball(struct work *w, const char *file, const char *dir, struct strbuf *ret,
			  struct err *err)
{
	const char *const argv[] = { "tar", "--no-same-owner", "-xf", file, "-C", dir, NULL };
	int r = work_run(w, "unpacking the source", NULL, argv, err);

	if (r == 0)
		r = find_tree(dir, ret, err);
	return r < 0 ? err_prefix(err, r, "'%s'", file) : 0;
}

/* usr/src/linux-source-X.tar.xz of the package. */
static int find_tarball(const char *dir, struct strbuf *ret, struct err *err)
{
	_cleanup_(strv_done) struct strv names = STRV_INIT;
	_cleanup_(root_close) struct root root = ROOT_INIT;
	int r = root_open(&root, dir, err);

	if (r < 0)
		return r;
	r = root_list(&root, "usr/src", &names);
	for (size_t i = 0; r > 0 && i < names.n; i++)
		if (slice_starts(slice_of(names.v[i]), PACKAGE) && strstr(names.v[i], ".tar")) {
			strbuf_addf(ret, "%s/usr/src/%s", dir, names.v[i]);
			return 0;
		}
	return err_set(err, -ENOENT, "the package has no tarball in /usr/src");
}

static int unpack_package(struct work *w, const char *package, const char *dir, struct strbuf *ret,
			  struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf tree = STRBUF_INIT, file = STRBUF_INIT;
	int r;

	strbuf_addf(&tree, "%s/package", dir);
	r = folder_make(tree.s, err);
	if (r == 0)
		r = debian_unpack(w, package, tree.s, err);
	if (r == 0)
		r = find_tarball(tree.s, &file, err);
	if (r == 0)
		r = unpack_tarball(w, file.s, dir, ret, err);
	folder_remove(tree.s);
	return r;
}

int kernel_source_unpack(struct work *w, const struct kernel_source *s, const char *dir,
			 struct strbuf *ret, struct err *err)
{
	_cleanup_free_ char *path = realpath(s->name, NULL);

	switch (s->kind) {
	case KERNEL_SOURCE_TREE:
		strbuf_addstr(ret, path ? path : s->name);
		return 0;
	case KERNEL_SOURCE_TARBALL:
		return unpack_tarball(w, path ? path : s->name, dir, ret, err);
	case KERNEL_SOURCE_PACKAGE:
		return unpack_package(w, s->name, dir, ret, err);
	}
	return -EINVAL;
}

void kernel_source_key(const struct kernel_source *s, const char *arch, struct strbuf *out)
{
	uint64_t hash = hash_bytes(HASH_INIT, strbuf_slice(&s->identity)),
		 fragment = kernel_fragment_hash();

	hash = hash_bytes(hash, (struct slice){ (const char *)&fragment, sizeof(fragment) });
	hash = hash_bytes(hash, slice_of(arch));
	strbuf_addf(out, "%s-%s-%010" PRIx64, s->label.s, arch, hash & UINT64_C(0xffffffffff));
}
