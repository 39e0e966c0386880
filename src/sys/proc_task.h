/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The folders of processes and threads below /proc, read with as few system calls as there can be:
 * a capture opens tens of thousands of these files.
 *
 * A thread's folder is held open while its files are read. It belongs to that very thread: once the
 * thread is gone its files cannot be opened any more, even when the number is in use again.
 */
#ifndef SYS_PROC_TASK_H
#define SYS_PROC_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/compiler.h"
#include "util/root.h"
#include "util/slice.h"
#include "util/vec.h"

struct proc_dir {
	int fd;    /* of /proc itself */
	bool live; /* made by a kernel: every file is a regular one, and one read is a whole file */
};

/* -errno when the root has no /proc. */
_must_check_ int proc_dir_open(const struct root *root, struct proc_dir *ret);
void proc_dir_close(struct proc_dir *proc);

struct proc_ids {
	VEC(uint32_t) ids; /* ascending */
};
void proc_ids_done(struct proc_ids *ids);

/* The processes, or the threads of one: names that are positive numbers below 2^31, anything else
 * is passed over. 0 or -errno, with @ret empty. */
_must_check_ int proc_list_processes(const struct proc_dir *proc, struct proc_ids *ret);
_must_check_ int proc_list_threads(const struct proc_dir *proc, uint32_t tgid,
				   struct proc_ids *ret);

/* The folder of a process or of a thread, for proc_read_at(): a descriptor or -errno. */
_must_check_ int proc_open_process(const struct proc_dir *proc, uint32_t tgid);
_must_check_ int proc_open_thread(const struct proc_dir *proc, uint32_t tgid, uint32_t tid);

/* The file @name ("stat", "task/7/stat") of an open folder, whole, into @buf. 1 read; 0 not there;
 * -errno: -EFBIG when it fills @buf, -EMEDIUMTYPE when it is not a regular file. */
_must_check_ int proc_read_at(const struct proc_dir *proc, int dir, const char *name, char *buf,
			      size_t cap, struct slice *ret);

#endif
