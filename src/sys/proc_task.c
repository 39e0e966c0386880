// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/proc_task.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/parse.h"

/* Folders of /proc have no symbolic links that lead anywhere we want to go. */
#define FOLDER_FLAGS (O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

int proc_dir_open(const struct root *root, struct proc_dir *ret)
{
	int fd = root_open_file(root, "proc", O_PATH | O_DIRECTORY);

	if (fd < 0)
		return fd;
	*ret = (struct proc_dir){ .fd = fd, .live = root->live };
	return 0;
}

void proc_dir_close(struct proc_dir *proc)
{
	if (proc->fd >= 0)
		close(proc->fd);
	proc->fd = -1;
}

void proc_ids_done(struct proc_ids *ids)
{
	vec_done(&ids->ids);
}

static int compare_ids(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* The kernel's own record: readdir() would allocate for every folder. */
struct kernel_dirent {
	uint64_t ino;
	int64_t off;
	uint16_t reclen;
	uint8_t type;
	char name[];
};

#define LISTING_BYTES (32u * 1024)

static void add_names(struct proc_ids *ids, const char *records, size_t n)
{
	for (size_t at = 0; at < n;) {
		const struct kernel_dirent *e = (const void *)(records + at);
		uint32_t id;

		if (parse_u32(slice_of(e->name), 1, INT32_MAX, &id) == 0 && e->name[0] != '0')
			vec_push(&ids->ids, id);
		at += e->reclen;
	}
}

static int list(const struct proc_dir *proc, const char *path, struct proc_ids *ret)
{
	_cleanup_close_ int fd = openat(proc->fd, path, O_RDONLY | FOLDER_FLAGS);
	_Alignas(struct kernel_dirent) char records[LISTING_BYTES];
	long n;

	*ret = (struct proc_ids){};
	if (fd < 0)
		return -errno;
	while ((n = syscall(SYS_getdents64, fd, records, sizeof(records))) > 0)
		add_names(ret, records, (size_t)n);
	if (n < 0) {
		int r = -errno;

		proc_ids_done(ret);
		return r;
	}
	if (ret->ids.n)
		qsort(ret->ids.v, ret->ids.n, sizeof(*ret->ids.v), compare_ids);
	return 0;
}

int proc_list_processes(const struct proc_dir *proc, struct proc_ids *ret)
{
	return list(proc, ".", ret);
}

int proc_list_threads(const struct proc_dir *proc, uint32_t tgid, struct proc_ids *ret)
{
	char path[32];

	snprintf(path, sizeof(path), "%u/task", tgid);
	return list(proc, path, ret);
}

static int open_folder(const struct proc_dir *proc, const char *path)
{
	int fd = openat(proc->fd, path, O_PATH | FOLDER_FLAGS);

	return fd < 0 ? -errno : fd;
}

int proc_open_process(const struct proc_dir *proc, uint32_t tgid)
{
	char path[16];

	snprintf(path, sizeof(path), "%u", tgid);
	return open_folder(proc, path);
}

int proc_open_thread(const struct proc_dir *proc, uint32_t tgid, uint32_t tid)
{
	char path[32];

	snprintf(path, sizeof(path), "%u/task/%u", tgid, tid);
	return open_folder(proc, path);
}

/* Recorded trees may hold anything under a name. */
static int check_regular(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	return S_ISREG(st.st_mode) ? 0 : -EMEDIUMTYPE;
}

int proc_read_at(const struct proc_dir *proc, int dir, const char *name, char *buf, size_t cap,
		 struct slice *ret)
{
	_cleanup_close_ int fd =
		openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	size_t len = 0;
	ssize_t n;
	int r;

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	r = proc->live ? 0 : check_regular(fd);
	if (r < 0)
		return r;
	do {
		n = read(fd, buf + len, cap - len);
		if (n > 0)
			len += (size_t)n;
	} while ((n < 0 && errno == EINTR) || (n > 0 && !proc->live && len < cap));
	if (n < 0)
		return -errno;
	if (len == cap)
		return -EFBIG;
	*ret = (struct slice){ buf, len };
	return 1;
}
