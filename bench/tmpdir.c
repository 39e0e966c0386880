// SPDX-License-Identifier: GPL-2.0-only
#include "tmpdir.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/strbuf.h"

static void remove_folder(const char *path)
{
	DIR *d = opendir(path);
	const struct dirent *e;

	while (d && (e = readdir(d)))
		unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
	rmdir(path);
}

/* In a session of its own, so that what is sent to our whole group does not reach it. */
_noreturn_ static void keep(const char *path, int alive)
{
	ssize_t got;
	char c;

	setsid();
	do
		got = read(alive, &c, 1);
	while (got > 0 || (got < 0 && errno == EINTR));
	remove_folder(path);
	_exit(0);
}

int tmpdir_make(struct tmpdir *dir, struct err *err)
{
	const char *base = getenv("TMPDIR");
	struct strbuf path = STRBUF_INIT;
	int alive[2];

	/* Programs we start inherit our end: none of them writes into a folder that is going. */
	if (pipe(alive) < 0)
		return err_set(err, -errno, "cannot make a pipe: %m");
	strbuf_addf(&path, "%s/bench-XXXXXX", base && *base ? base : "/tmp");
	*dir = (struct tmpdir){ .path = strbuf_steal(&path), .alive = alive[1] };
	if (!mkdtemp(dir->path))
		return err_set(err, -errno, "cannot make a folder '%s': %m", dir->path);
	fflush(NULL);
	dir->keeper = fork();
	if (!dir->keeper) {
		close(alive[1]);
		keep(dir->path, alive[0]);
	}
	if (dir->keeper < 0) {
		rmdir(dir->path);
		return err_set(err, -errno, "cannot fork: %m");
	}
	close(alive[0]);
	return 0;
}

void tmpdir_remove(struct tmpdir *dir)
{
	close(dir->alive);
	waitpid(dir->keeper, NULL, 0);
	free(dir->path);
}
