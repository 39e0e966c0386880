// SPDX-License-Identifier: LGPL-2.1-or-later
#include "guest/mounts.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

enum need {
	NEED_REQUIRED,
	NEED_WANTED,
};

struct mount_row {
	enum need need;
	const char *type, *where;
	unsigned long flags;
	const char *data;
};

static const struct mount_row rows[] = {
#define MOUNT(need_, type_, where_, flags_, data_)                                                 \
	{ .need = NEED_##need_, .type = type_, .where = where_, .flags = flags_, .data = data_ },
#include "guest/mounts.def"
#undef MOUNT
};

static const struct {
	const char *path, *target;
} links[] = {
	{ "/dev/fd", "/proc/self/fd" },
	{ "/dev/stdin", "/proc/self/fd/0" },
	{ "/dev/stdout", "/proc/self/fd/1" },
	{ "/dev/stderr", "/proc/self/fd/2" },
};

static int make(const struct mount_row *row)
{
	/* A folder of sysfs is there or cannot be made; mount() tells which. */
	mkdir(row->where, 0755);
	/* EBUSY: the same file system is there already. */
	if (mount(row->type, row->where, row->type, row->flags, row->data) < 0 && errno != EBUSY)
		return -errno;
	return 0;
}

int mounts_make_proc(void)
{
	return make(&rows[0]);
}

int mounts_make(struct strv *notes, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int r = make(&rows[i]);

		if (r < 0 && rows[i].need == NEED_REQUIRED)
			return err_set(err, r, "cannot mount %s on %s: %s", rows[i].type,
				       rows[i].where, strerror(-r));
		if (r < 0)
			strv_addf(notes, "cannot mount %s on %s: %s", rows[i].type, rows[i].where,
				  strerror(-r));
	}
	for (size_t i = 0; i < ARRAY_SIZE(links); i++)
		if (symlink(links[i].target, links[i].path) < 0 && errno != EEXIST)
			strv_addf(notes, "cannot link %s: %s", links[i].path, strerror(errno));
	return 0;
}
