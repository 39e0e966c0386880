// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/staging.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/folder.h"

#define LOCK_PREFIX ".lock-"

/* Whether the file behind @fd still has that name: who had the lock before us may have removed it
 * after we opened it. */
static bool is_named(int fd, const char *path)
{
	struct stat a, b;

	return fstat(fd, &a) == 0 && stat(path, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

static int take_lock(const char *path)
{
	for (;;) {
		_cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

		if (fd < 0)
			return -errno;
		if (flock(fd, LOCK_EX | LOCK_NB) < 0)
			return errno == EWOULDBLOCK ? -EAGAIN : -errno;
		if (is_named(fd, path))
			return take_fd(&fd);
	}
}

int kernel_staging_lock(struct kernel_staging *s, const char *cache, const char *key,
			struct err *err)
{
	strbuf_reset(&s->lock_path);
	strbuf_addf(&s->lock_path, "%s/" LOCK_PREFIX "%s", cache, key);
	s->lock = take_lock(s->lock_path.s);
	if (s->lock < 0)
		return err_set(err, s->lock, "cannot lock '%s': %s", s->lock_path.s,
			       strerror(-s->lock));
	strbuf_addf(&s->target, "%s/%s", cache, key);
	strbuf_addf(&s->dir, "%s/" KERNEL_STAGING_PREFIX "%s", cache, key);
	strbuf_addf(&s->entry, "%s/entry", s->dir.s);
	return 0;
}

int kernel_staging_begin(struct kernel_staging *s, struct err *err)
{
	int r = folder_remove(s->dir.s);

	if (r < 0)
		return err_set(err, r, "cannot remove '%s': %s", s->dir.s, strerror(-r));
	return folder_make(s->entry.s, err);
}

/* An entry of that key that is there already goes where we came from, and away with it. */
int kernel_staging_commit(struct kernel_staging *s, struct err *err)
{
	if (renameat2(AT_FDCWD, s->entry.s, AT_FDCWD, s->target.s, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno == EEXIST &&
	    renameat2(AT_FDCWD, s->entry.s, AT_FDCWD, s->target.s, RENAME_EXCHANGE) == 0)
		return 0;
	/* File systems that know neither. */
	if (errno == EINVAL && folder_remove(s->target.s) == 0 &&
	    rename(s->entry.s, s->target.s) == 0)
		return 0;
	return err_set(err, -errno, "cannot create '%s': %s", s->target.s, strerror(errno));
}

void kernel_staging_done(struct kernel_staging *s)
{
	if (s->lock >= 0) {
		folder_remove(s->dir.s);
		unlink(s->lock_path.s);
		close(s->lock);
	}
	strbuf_done(&s->target);
	strbuf_done(&s->dir);
	strbuf_done(&s->entry);
	strbuf_done(&s->lock_path);
	s->lock = -1;
}

void kernel_staging_sweep(const char *cache)
{
	_cleanup_closedir_ DIR *d = opendir(cache);
	const struct dirent *e;

	while (d && (e = readdir(d))) {
		_cleanup_(kernel_staging_done) struct kernel_staging s = KERNEL_STAGING_INIT;
		struct slice name = slice_of(e->d_name);
		struct err err;

		/* Having had the lock is all it takes: giving it back removes the rest. */
		if (slice_starts(name, KERNEL_STAGING_PREFIX))
			(void)!kernel_staging_lock(&s, cache,
						   name.s + strlen(KERNEL_STAGING_PREFIX), &err);
		else if (slice_starts(name, LOCK_PREFIX))
			(void)!kernel_staging_lock(&s, cache, name.s + strlen(LOCK_PREFIX), &err);
	}
}
