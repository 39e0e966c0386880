/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a guest finds in its root file system: our init, its job and, for a shell, busybox, this
 * program and the files of the user.
 */
#ifndef VM_GUEST_IMAGE_H
#define VM_GUEST_IMAGE_H

#include <stdint.h>

#include "record/job.h"
#include "util/compiler.h"
#include "util/err.h"
#include "util/strv.h"

/* Where files of the user are, and the way commands are looked up: theirs first. */
#define GUEST_IMAGE_FILES "/include-files"
#define GUEST_IMAGE_PATH                                                                           \
	"PATH=" GUEST_IMAGE_FILES ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

struct guest_image {
	int parts[2]; /* for vm_config.initrd: what is the same for all runs, and the job */
	uint64_t unpacked_bytes, packed_bytes;
};

#define GUEST_IMAGE_INIT                                                                           \
	{                                                                                          \
		.parts = { -1, -1 }                                                                \
	}

void guest_image_done(struct guest_image *image);

/* @files are paths of this host. A program among them brings its libraries. */
_must_check_ int guest_image_make(struct guest_image *image, const struct job *job,
				  const struct strv *files, struct err *err);

#endif
