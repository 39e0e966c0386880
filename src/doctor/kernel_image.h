/* SPDX-License-Identifier: GPL-2.0-only */
/* Kernel images that a virtual machine could boot. */
#ifndef DOCTOR_KERNEL_IMAGE_H
#define DOCTOR_KERNEL_IMAGE_H

#include "sys/kconfig.h"
#include "util/compiler.h"
#include "util/root.h"
#include "util/strbuf.h"

/* 0 when @path is a readable image for @arch (as uname -m, "": any); -ENOEXEC when it is something
 * else. */
_must_check_ int kernel_image_check(const struct root *root, const char *path, const char *arch);

/* What the configuration beside the image (DIR/config-RELEASE for DIR/vmlinuz-RELEASE) says about
 * @option; KCONFIG_UNKNOWN without one. */
enum kconfig_state kernel_image_option(const struct root *root, const char *path,
				       const char *option);

/* The newest image boot/vmlinuz-RELEASE, one whose configuration has sched_ext before all others:
 * 1 and its path below the root, 0 when there is none, -EACCES and the path when there are but none
 * may be read. */
_must_check_ int kernel_image_find(const struct root *root, const char *arch,
				   struct strbuf *ret_path);

#endif
