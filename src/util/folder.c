// SPDX-License-Identifier: LGPL-2.1-or-later
#include "util/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/alloc.h"
#include "util/cleanup.h"

int folder_make(const char *path, struct err *err)
{
	_cleanup_free_ char *part = xstrdup(path);
	struct stat st;

	for (char *at = part; (at = strchr(at + (*at == '/'), '/'));) {
		*at = '\0';
		if (*part && mkdir(part, 0777) < 0 && errno != EEXIST && errno != EROFS &&
		    errno != EACCES)
			break;
		*at = '/';
	}
	if (mkdir(path, 0777) < 0 && errno != EEXIST)
		return err_set(err, -errno, "cannot create '%s': %s", path, strerror(errno));
	if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		return err_set(err, -ENOTDIR, "'%s' is no folder", path);
	return 0;
}

static void note(int *first, int e)
{
	if (*first == 0)
		*first = e;
}

/* The names first: what is removed while a folder is read may hide others. */
static int remove_in(int dir, const char *name)
{
	_cleanup_closedir_ DIR *d = NULL;
	const struct dirent *entry;
	int fd, e, first = 0;

	if (unlinkat(dir, name, 0) == 0 || errno == ENOENT)
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return -errno;
	/* A folder we could not write to, of an archive say, is ours to change. */
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	(void)fchmod(fd, 0700);
	d = fdopendir(fd);
	if (!d) {
		e = -errno;
		close(fd);
		return e;
	}
	while ((entry = readdir(d)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			note(&first, remove_in(fd, entry->d_name));
	if (unlinkat(dir, name, AT_REMOVEDIR) < 0)
		note(&first, -errno);
	return first;
}

int folder_remove(const char *path)
{
	return remove_in(AT_FDCWD, path);
}

static int add_bytes(int dir, const char *name, uint64_t *sum)
{
	_cleanup_closedir_ DIR *d = NULL;
	const struct dirent *entry;
	struct stat st;
	int fd, r = 0;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	if (!S_ISDIR(st.st_mode)) {
		*sum += (uint64_t)st.st_size;
		return 0;
	}
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	d = fdopendir(fd);
	if (!d) {
		r = -errno;
		close(fd);
		return r;
	}
	while (r == 0 && (entry = readdir(d)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			r = add_bytes(fd, entry->d_name, sum);
	return r;
}

int folder_bytes(const char *path, uint64_t *ret)
{
	uint64_t sum = 0;
	int r = add_bytes(AT_FDCWD, path, &sum);

	if (r == 0)
		*ret = sum;
	return r;
}

int folder_cache(struct strbuf *out, struct err *err)
{
	const char *own = getenv("KTSTR_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME"),
		   *home = getenv("HOME");

	if (own && *own)
		strbuf_addstr(out, own);
	else if (xdg && *xdg == '/') /* others are to be ignored, says its specification */
		strbuf_addf(out, "%s/ktstr", xdg);
	else if (home && *home)
		strbuf_addf(out, "%s/.cache/ktstr", home);
	else
		return err_set(err, -ENOENT,
			       "nothing tells where the cache is: set "
			       "KTSTR_CACHE_DIR or HOME");
	return 0;
}
