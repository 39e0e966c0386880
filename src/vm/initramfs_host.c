// SPDX-License-Identifier: GPL-2.0-only
/* Files and programs of this host. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/needed.h"
#include "util/alloc.h"
#include "util/cleanup.h"
#include "vm/initramfs_tree.h"

/* Files of procfs do not tell their size: what there is decides. */
static int read_rest(struct initramfs *fs, int fd, size_t expected, struct blob **ret)
{
	_cleanup_free_ char *bytes = NULL;
	size_t n = 0, cap = 0;

	for (;;) {
		ssize_t got;

		if (n == cap) {
			cap = n ? n + n / 2 + 1 : expected + 1;
			bytes = xreallocarray(bytes, cap, 1);
		}
		got = read(fd, bytes + n, cap - n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		n += (size_t)got;
		if (n > INITRAMFS_BYTES_MAX - fs->bytes)
			return -EFBIG;
	}
	*ret = initramfs_new_blob(fs, take_ptr(bytes), n);
	return 0;
}

static int open_file(const char *from, struct stat *ret, struct err *err)
{
	/* Without waiting for whoever writes into a FIFO. */
	_cleanup_close_ int fd = open(from, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	int e;

	*ret = (struct stat){};
	e = fd < 0 || fstat(fd, ret) < 0 ? -errno : 0;
	if (e == 0 && S_ISDIR(ret->st_mode))
		e = -EISDIR;
	else if (e == 0 && !S_ISREG(ret->st_mode))
		e = -EMEDIUMTYPE;
	if (e < 0) {
		err_set(err, e, "'%s': %s", from,
			e == -EMEDIUMTYPE ? "no regular file" : strerror(-e));
		return e;
	}
	return take_fd(&fd);
}

static int read_file(struct initramfs *fs, int fd, const char *from, const struct stat *st,
		     struct blob **ret, struct err *err)
{
	int r;

	if (st->st_size > INITRAMFS_BYTES_MAX ||
	    (uint64_t)st->st_size > INITRAMFS_BYTES_MAX - fs->bytes)
		r = -EFBIG;
	else
		r = read_rest(fs, fd, (size_t)st->st_size, ret);
	if (r == -EFBIG)
		err_set(err, r, "'%s' is too large: an initramfs holds less than 4 GiB", from);
	else if (r < 0)
		err_set(err, r, "cannot read '%s': %s", from, strerror(-r));
	return r;
}

int initramfs_add_file(struct initramfs *fs, const char *path, const char *from, struct err *err)
{
	_cleanup_close_ int fd = -1;
	struct entry e = { .mode = S_IFREG | 0644 };
	struct stat st;
	int r = initramfs_check_path(path, err);

	if (r < 0)
		return r;
	fd = open_file(from, &st, err);
	if (fd < 0)
		return fd;
	/* All of the guest is root's: whether it can be executed is all that counts. */
	if (st.st_mode & 0111)
		e.mode = S_IFREG | 0755;
	r = read_file(fs, fd, from, &st, &e.blob, err);
	return r < 0 ? r : initramfs_put(fs, path, e, err);
}

/* The content of a program or library; one that is there already is not read again. */
static int load(struct initramfs *fs, const char *from, struct blob **ret, struct err *err)
{
	struct stat st;
	_cleanup_close_ int fd = open_file(from, &st, err);
	struct blob *blob = fs->blobs;
	int r;

	if (fd < 0)
		return fd;
	while (blob && !(blob->from && blob->dev == st.st_dev && blob->ino == st.st_ino))
		blob = blob->next;
	if (!blob) {
		r = read_file(fs, fd, from, &st, &blob, err);
		if (!blob)
			return r;
		blob->dev = st.st_dev;
		blob->ino = st.st_ino;
		blob->from = xstrdup(from);
	}
	*ret = blob;
	return 0;
}

/* "/opt/x/bin/../lib/y" as the archive has it: nothing there is a link. The folders that such a
 * path leaves again have to be there. */
static int straighten(struct initramfs *fs, const char *path, struct strbuf *ret, struct err *err)
{
	struct slice rest = slice_of(path), name;

	strbuf_reset(ret);
	while (slice_cut(&rest, '/', &name)) {
		if (!name.n || slice_is(name, "."))
			continue;
		if (!slice_is(name, "..")) {
			strbuf_addch(ret, '/');
			strbuf_addslice(ret, name);
			continue;
		}
		if (ret->len && !initramfs_find(fs, slice_of(ret->s + 1))) {
			int r = initramfs_put(fs, ret->s, (struct entry){ .mode = S_IFDIR | 0755 },
					      err);

			if (r < 0)
				return r;
		}
		if (ret->len)
			strbuf_setlen(ret, (size_t)(strrchr(ret->s, '/') - ret->s));
	}
	return 0;
}

static int add_needed(struct initramfs *fs, const struct elf_file *file, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;
	struct entry e = { .mode = S_IFREG | 0755 };
	const struct entry *old;
	int r = load(fs, file->from, &e.blob, err);

	if (r == 0)
		r = straighten(fs, file->at, &path, err);
	if (r == 0)
		r = initramfs_check_path(path.s, err);
	if (r < 0)
		return r;
	/* Two programs can bring different files for one path: then one of them would not start, or
	 * worse. */
	old = initramfs_find(fs, slice_of(path.s + 1));
	if (old && old->blob != e.blob)
		return err_set(err, -EEXIST, "'%s' has to be at '%s', where %s%s%s is already",
			       file->from, path.s, old->blob && old->blob->from ? "'" : "",
			       old->blob && old->blob->from ? old->blob->from : "something else",
			       old->blob && old->blob->from ? "'" : "");
	return old ? 0 : initramfs_put(fs, path.s, e, err);
}

int initramfs_add_program(struct initramfs *fs, const char *path, const char *from, struct err *err)
{
	_cleanup_(elf_files_done) struct elf_files files = ELF_FILES_INIT;
	_cleanup_(root_close) struct root root = ROOT_INIT;
	_cleanup_free_ char *real = realpath(from, NULL);
	struct entry e = { .mode = S_IFREG | 0755 };
	int r;

	if (!real)
		return err_set(err, -errno, "'%s': %m", from);
	r = initramfs_check_path(path, err);
	if (r == 0)
		r = root_open(&root, "/", err);
	if (r == 0)
		r = elf_needed(&root, real, path, &files, err);
	if (r == 0)
		r = load(fs, real, &e.blob, err);
	if (r == 0)
		r = initramfs_put(fs, path, e, err);
	for (size_t i = 0; r == 0 && i < files.n; i++)
		r = add_needed(fs, &files.v[i], err);
	return r;
}
