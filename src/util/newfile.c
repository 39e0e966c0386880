// SPDX-License-Identifier: LGPL-2.1-or-later
#include "util/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/hash.h"

#define LINKS_MAX  40
#define NAMES_MAX  100 /* hidden names to try */
#define HIDDEN_LEN 32

/* Links on the way to the file itself are followed by hand: it may not be there yet. */
static int follow_links(const char *path, char **ret)
{
	_cleanup_free_ char *at = xstrdup(path);

	for (int links = 0; links < LINKS_MAX; links++) {
		char to[PATH_MAX];
		ssize_t n = readlink(at, to, sizeof(to) - 1);
		const char *slash = strrchr(at, '/');
		char *next;

		if (n < 0) {
			*ret = take_ptr(at);
			return 0;
		}
		to[n] = '\0';
		if (to[0] == '/' || !slash)
			next = xstrdup(to);
		else if (asprintf(&next, "%.*s/%s", (int)(slash - at), at, to) < 0)
			return -ENOMEM;
		free(at);
		at = next;
	}
	return -ELOOP;
}

/* Opens the folder and keeps the name in it. */
static int open_folder(struct newfile *f, const char *file)
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
	_cleanup_free_ char *folder = NULL;

	if (!*name)
		return *file ? -EISDIR : -ENOENT;
	if (!slash)
		folder = xstrdup(".");
	else
		folder = slash == file ? xstrdup("/") : xstrndup(file, (size_t)(slash - file));
	f->dir = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (f->dir < 0)
		return -errno;
	f->name = xstrdup(name);
	return 0;
}

static int open_direct(struct newfile *f, int flags)
{
	f->direct = true;
	f->fd = open(f->path, O_WRONLY | O_CLOEXEC | O_NOCTTY | flags);
	return f->fd < 0 ? -errno : 0;
}

/* The same name every time, so that one that was left is found again. */
static void usual_name(const struct newfile *f, const char *suffix, char hidden[HIDDEN_LEN])
{
	snprintf(hidden, HIDDEN_LEN, ".ktstr-%016" PRIx64 ".%s",
		 hash_bytes(HASH_INIT, slice_of(f->name)), suffix);
}

static int other_name(char hidden[HIDDEN_LEN])
{
	uint64_t random;

	if (getrandom(&random, sizeof(random), 0) != sizeof(random))
		return -EIO;
	snprintf(hidden, HIDDEN_LEN, ".ktstr-%016" PRIx64 ".tmp", random);
	return 0;
}

/* Whether the open file is ours alone, and still the one of that name. */
static bool take_over(const struct newfile *f, const char *hidden)
{
	struct stat ours, there;

	return flock(f->fd, LOCK_EX | LOCK_NB) == 0 && fstat(f->fd, &ours) == 0 &&
	       fstatat(f->dir, hidden, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
	       ours.st_dev == there.st_dev && ours.st_ino == there.st_ino &&
	       S_ISREG(ours.st_mode) && ours.st_uid == geteuid() && ftruncate(f->fd, 0) == 0;
}

/* Under the usual name, so that what somebody who was killed left there goes to use. */
static bool create_usual(struct newfile *f)
{
	char hidden[HIDDEN_LEN];

	usual_name(f, "tmp", hidden);
	f->fd = openat(f->dir, hidden, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
		       0666);
	if (f->fd >= 0 && take_over(f, hidden)) {
		f->hidden = xstrdup(hidden);
		return true;
	}
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
	return false;
}

static int create_hidden(struct newfile *f)
{
	char hidden[HIDDEN_LEN];

	if (create_usual(f))
		return 0;
	for (int i = 0; i < NAMES_MAX; i++) {
		int e = other_name(hidden);

		if (e < 0)
			return e;
		f->fd = openat(f->dir, hidden, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (f->fd >= 0) {
			f->hidden = xstrdup(hidden);
			return 0;
		}
		if (errno != EEXIST)
			return -errno;
	}
	return -EEXIST;
}

/* The mode is as for any new file: the kernel takes the umask and the folder's ACL into account. */
static int create(struct newfile *f)
{
	f->fd = openat(f->dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	if (f->fd >= 0)
		return 0;
	/* Kernels and file systems that do not know them see a folder opened for writing. */
	if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)
		return -errno;
	return create_hidden(f);
}

static bool is_old(const struct newfile *f)
{
	struct stat st;

	return fstatat(f->dir, f->name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       st.st_dev == f->old.st_dev && st.st_ino == f->old.st_ino;
}

static int open_new(struct newfile *f)
{
	_cleanup_free_ char *file = NULL;
	int e;

	f->replaces = stat(f->path, &f->old) == 0;
	if (!f->replaces && errno != ENOENT)
		return -errno;
	if (f->replaces && S_ISDIR(f->old.st_mode))
		return -EISDIR;
	if (f->replaces && !S_ISREG(f->old.st_mode))
		return open_direct(f, 0);
	if (f->replaces && faccessat(AT_FDCWD, f->path, W_OK, AT_EACCESS) < 0)
		return -errno;
	e = follow_links(f->path, &file);
	if (e == 0)
		e = open_folder(f, file);
	if (e < 0)
		return e;
	/* A link of /proc/PID/fd may lead to what has no name. */
	if (f->replaces && !is_old(f))
		return open_direct(f, O_TRUNC);
	return create(f);
}

int newfile_open(struct newfile *f, const char *path, struct err *err)
{
	int e;

	f->path = path;
	e = open_new(f);
	return e < 0 ? err_set(err, e, "cannot create '%s': %s", path, strerror(-e)) : 0;
}

void newfile_done(struct newfile *f)
{
	if (f->hidden)
		unlinkat(f->dir, f->hidden, 0);
	if (f->fd >= 0)
		close(f->fd);
	if (f->dir >= 0)
		close(f->dir);
	free(f->name);
	free(f->hidden);
	*f = (struct newfile)NEWFILE_INIT;
}

static int link_as(const struct newfile *f, const char *name)
{
	char self[64];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", f->fd);
	if (linkat(AT_FDCWD, self, f->dir, name, AT_SYMLINK_FOLLOW) == 0)
		return 0;
	/* Without /proc it takes a privilege. */
	if (errno == ENOENT && linkat(f->fd, "", f->dir, name, AT_EMPTY_PATH) == 0)
		return 0;
	return -errno;
}

/* A file under the usual name is whole, and somebody was killed or is about to rename it: that can
 * be done for them. */
static void settle(const struct newfile *f, const char *hidden)
{
	struct stat st;

	if (fstatat(f->dir, hidden, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
	    st.st_uid == geteuid())
		(void)renameat(f->dir, hidden, f->dir, f->name);
}

static int take_name(struct newfile *f)
{
	char hidden[HIDDEN_LEN];
	int e;

	usual_name(f, "new", hidden);
	e = link_as(f, hidden);
	if (e == -EEXIST) {
		settle(f, hidden);
		e = link_as(f, hidden);
	}
	for (int i = 0; i < NAMES_MAX && e == -EEXIST; i++) {
		e = other_name(hidden);
		if (e == 0)
			e = link_as(f, hidden);
	}
	if (e == 0)
		f->hidden = xstrdup(hidden);
	return e;
}

/* A name that is gone was settled by another. */
static int replace(struct newfile *f)
{
	if (renameat(f->dir, f->hidden, f->dir, f->name) < 0 && errno != ENOENT)
		return -errno;
	free(f->hidden);
	f->hidden = NULL;
	return 0;
}

static int commit(struct newfile *f)
{
	int e = -EEXIST;

	if (f->replaces) {
		/* Only root can give files away. */
		if (fchown(f->fd, f->old.st_uid, f->old.st_gid) < 0 && errno != EPERM)
			return -errno;
		if (fchmod(f->fd, f->old.st_mode & 0777) < 0)
			return -errno;
	}
	if (fsync(f->fd) < 0)
		return -errno;
	if (!f->replaces && !f->hidden)
		e = link_as(f, f->name);
	if (e != -EEXIST)
		return e;
	if (!f->hidden) {
		e = take_name(f);
		if (e < 0)
			return e;
	}
	return replace(f);
}

int newfile_commit(struct newfile *f, struct err *err)
{
	int e = f->direct ? 0 : commit(f);

	/* Network file systems tell at this point that there was no room. */
	if (e == 0 && close(take_fd(&f->fd)) < 0 && f->direct)
		e = -errno;
	return e < 0 ? err_set(err, e, "cannot write '%s': %s", f->path, strerror(-e)) : 0;
}
