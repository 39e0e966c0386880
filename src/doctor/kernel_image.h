/* SPDX-License-Identifier: GPL-2.0-only */
/* Kernel images that a virtual machine could boot. */
#ifndef DOCTOR_KERNEL_IMAGE_H
#define DOCTOR_KERNEL_IMAGE_H

#include "util/compiler.h"
#include "util/root.h"
#include "util/strbuf.h"

/* 0 when @path is a readable image for @arch (as uname -m, "": any); -ENOEXEC when it is something
 * else. */
_must_check_ int kernel_image_check(const struct root *root, const char *path, const char *arch);

/* The last image /boot/vmlinuz-RELEASE by name: 1 and the release, 0 when there is none, -EACCES
 * and the release when there are but none may be read. */
_must_check_ int kernel_image_find(const struct root *root, const char *arch,
				   struct strbuf *ret_release);

#endif
