// SPDX-License-Identifier: LGPL-2.1-or-later
#include "util/root.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/parse.h"

int root_open(struct root *root, const char *dir, struct err *err)
{
	struct stat here, slash;
	int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return err_set(err, -errno, "cannot open '%s': %s", dir, strerror(errno));
	*root = (struct root){
		.fd = fd,
		.dir = dir,
		.live = fstat(fd, &here) == 0 && stat("/", &slash) == 0 &&
			here.st_dev == slash.st_dev && here.st_ino == slash.st_ino,
	};
	return 0;
}

void root_close(struct root *root)
{
	for (; root->n_grafts > 0; root->n_grafts--)
		close(root->grafts[root->n_grafts - 1].fd);
	if (root->fd >= 0)
		close(root->fd);
	root->fd = -1;
}

int root_graft(struct root *root, const char *at, const char *dir, struct err *err)
{
	int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return err_set(err, -errno, "cannot open '%s': %s", dir, strerror(errno));
	assert(root->n_grafts < ROOT_GRAFTS);
	root->grafts[root->n_grafts++] = (struct root_graft){ .at = at, .dir = dir, .fd = fd };
	root->live = false;
	return 0;
}

/* The folder that @path is looked up in; @path becomes relative to it. */
static const struct root_graft *find_graft(const struct root *root, const char **path)
{
	for (unsigned i = 0; i < root->n_grafts; i++) {
		const struct root_graft *graft = &root->grafts[i];
		size_t n = strlen(graft->at);

		if (strncmp(*path, graft->at, n) != 0 || ((*path)[n] && (*path)[n] != '/'))
			continue;
		*path += n;
		while (**path == '/')
			++*path;
		if (!**path)
			*path = ".";
		return graft;
	}
	return NULL;
}

void root_add_path(const struct root *root, const char *path, struct strbuf *out)
{
	const struct root_graft *graft = find_graft(root, &path);

	strbuf_addstr(out, graft ? graft->dir : root->dir);
	if (out->s[out->len - 1] != '/')
		strbuf_addch(out, '/');
	strbuf_addstr(out, path);
}

/* A path that goes up is refused while anybody renames or mounts anything, since it might lead out
 * then; asked again it is found. */
#define OPEN_TRIES 10000

static long open_inside(int dir, const char *path, const struct open_how *how)
{
	long fd;
	int tries = 0;

	do
		fd = syscall(SYS_openat2, dir, path, how, sizeof(*how));
	while (fd < 0 && (errno == EAGAIN || errno == EINTR) && ++tries < OPEN_TRIES);
	return fd;
}

int root_open_file(const struct root *root, const char *path, int flags)
{
	/* Opening a FIFO must not wait; O_PATH opens nothing and takes no such flags. */
	int all = flags | O_CLOEXEC | (flags & O_PATH ? 0 : O_NOCTTY | O_NONBLOCK);
	struct open_how how = {
		.flags = (uint64_t)(unsigned)all,
		.resolve = RESOLVE_IN_ROOT,
	};
	const struct root_graft *graft = find_graft(root, &path);
	long fd = open_inside(graft ? graft->fd : root->fd, path, &how);

	/* Old kernels do not know the call, and seccomp filters of older container runtimes answer
	 * EPERM. Only in "/" is there nothing to stay inside of. */
	if (fd < 0 && root->live && (errno == ENOSYS || errno == EPERM))
		fd = openat(root->fd, path, all);
	return fd < 0 ? -errno : (int)fd;
}

static int report(const struct root *root, const char *path, int outcome)
{
	if (root->seen)
		root->seen(root->seen_ctx, path, outcome);
	return outcome;
}

/* 1 for an open file, 0 not there, -errno. */
static int outcome_of(int fd)
{
	return fd >= 0 ? 1 : fd == -ENOENT || fd == -ENOTDIR ? 0 : fd;
}

static int read_all(int fd, size_t cap, struct strbuf *out)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? -EISDIR : -EMEDIUMTYPE;
	/* procfs and sysfs report sizes that mean nothing: read to the end. */
	for (;;) {
		ssize_t n;

		strbuf_grow(out, 4096);
		n = read(fd, out->s + out->len, out->cap - out->len - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		out->len += (size_t)n;
		out->s[out->len] = '\0';
		if (n == 0)
			return 1;
		if (out->len > cap)
			return -EFBIG;
	}
}

int root_read(const struct root *root, const char *path, size_t cap, struct strbuf *out)
{
	_cleanup_close_ int fd = root_open_file(root, path, O_RDONLY);
	int r = outcome_of(fd);

	strbuf_reset(out);
	if (r > 0)
		r = read_all(fd, cap, out);
	if (r < 0)
		strbuf_reset(out);
	return report(root, path, r);
}

int root_read_text(const struct root *root, const char *path, struct strbuf *out)
{
	struct slice value;
	int r = root_read(root, path, ROOT_CAP_VALUE, out);

	if (r <= 0)
		return r;
	if (memchr(out->s, '\0', out->len)) {
		strbuf_reset(out);
		return -EBADMSG;
	}
	value = slice_trim(strbuf_slice(out));
	memmove(out->s, value.s, value.n);
	strbuf_setlen(out, value.n);
	return value.n > 0;
}

int root_read_u64(const struct root *root, const char *path, uint64_t *ret)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	int r = root_read_text(root, path, &text);

	if (r <= 0)
		return r;
	r = parse_u64(strbuf_slice(&text), 0, UINT64_MAX, ret);
	return r < 0 ? r : 1;
}

int root_list(const struct root *root, const char *path, struct strv *ret_names)
{
	_cleanup_close_ int fd = root_open_file(root, path, O_RDONLY | O_DIRECTORY);
	_cleanup_closedir_ DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;

	if (!dir)
		return report(root, path, fd >= 0 ? -errno : outcome_of(fd));
	take_fd(&fd);
	*ret_names = (struct strv)STRV_INIT;
	while ((errno = 0, e = readdir(dir)))
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			strv_add(ret_names, e->d_name);
	if (errno) {
		int r = -errno;

		strv_done(ret_names);
		return report(root, path, r);
	}
	strv_sort(ret_names);
	return report(root, path, 1);
}

bool root_exists(const struct root *root, const char *path)
{
	_cleanup_close_ int fd = root_open_file(root, path, O_PATH);

	report(root, path, outcome_of(fd));
	return fd >= 0;
}

int root_stat(const struct root *root, const char *path, struct stat *ret)
{
	_cleanup_close_ int fd = root_open_file(root, path, O_PATH);
	int r = outcome_of(fd);

	if (r > 0 && fstat(fd, ret) < 0)
		r = -errno;
	return report(root, path, r);
}

int root_readlink(const struct root *root, const char *path, struct strbuf *out)
{
	_cleanup_close_ int fd = root_open_file(root, path, O_PATH | O_NOFOLLOW);
	int r = outcome_of(fd);
	char target[PATH_MAX];
	ssize_t n;

	strbuf_reset(out);
	if (r > 0) {
		n = readlinkat(fd, "", target, sizeof(target));
		/* The kernel's answer for an empty path to something else than a link. */
		if (n < 0)
			r = errno == ENOENT ? -EINVAL : -errno;
		else
			strbuf_add(out, target, (size_t)n);
	}
	return report(root, path, r);
}
