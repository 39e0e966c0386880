/* SPDX-License-Identifier: GPL-2.0-only */
/* QEMU as a child of ours: what it inherits and how it ends with us. */
#ifndef VM_SPAWN_H
#define VM_SPAWN_H

#include <sys/types.h>

#include "util/strbuf.h"
#include "vm/qemu_args.h"
#include "vm/ram.h"

struct qemu {
	pid_t pid; /* 0: none, or reaped */
	int pidfd;
	int qmp, channel, console; /* our ends, non-blocking */
	int errors;                /* its standard error, non-blocking */
};

#define QEMU_INIT                                                                                  \
	{                                                                                          \
		.pidfd = -1, .qmp = -1, .channel = -1, .console = -1, .errors = -1                 \
	}

/* Appends the path of the program: 0; -ENOENT with what to install. */
_must_check_ int qemu_find(const struct vm_config *config, struct strbuf *ret, struct err *err);

/* The open files that every attempt needs. */
struct boot_files {
	int kernel;
	int initrd; /* -1: none */
};

#define BOOT_FILES_INIT                                                                            \
	{                                                                                          \
		.kernel = -1, .initrd = -1                                                         \
	}

/* Opens the kernel and joins the two parts of the initramfs in memory. */
_must_check_ int boot_files_open(struct boot_files *files, const struct vm_config *config,
				 struct err *err);
void boot_files_done(struct boot_files *files);

/* 0; -errno when there is no such program or no process to be had. */
_must_check_ int qemu_spawn(struct qemu *q, const char *program, const struct vm_config *config,
			    enum vm_accel accel, const struct boot_files *files,
			    const struct ram *ram, struct err *err);

/* Ends it if it still runs. Takes a stuck one for dead after some seconds: 0 with the wait status,
 * -ETIMEDOUT. */
int qemu_kill(struct qemu *q, int *ret_status);
void qemu_done(struct qemu *q);

#endif
