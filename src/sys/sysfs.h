/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One-value files whose path has numbers in it ("sys/devices/system/cpu/cpu%u/online"). All return
 * like the readers of util/root.h: 1 read, 0 not there, -errno broken; results are written on 1
 * only.
 */
#ifndef SYS_SYSFS_H
#define SYS_SYSFS_H

#include <stdint.h>

#include "util/compiler.h"
#include "util/cpuset.h"
#include "util/root.h"

#define SYSFS_CPU  "sys/devices/system/cpu"
#define SYSFS_NODE "sys/devices/system/node"

_must_check_ int sysfs_text(const struct root *root, struct strbuf *ret, const char *fmt, ...)
	_printf_(3, 4);
_must_check_ int sysfs_u64(const struct root *root, uint64_t *ret, const char *fmt, ...)
	_printf_(3, 4);
_must_check_ int sysfs_i64(const struct root *root, int64_t *ret, const char *fmt, ...)
	_printf_(3, 4);

/* A cpulist; a blank file is the empty set. @ret is initialised here. */
_must_check_ int sysfs_cpus(const struct root *root, struct cpuset *ret, const char *fmt, ...)
	_printf_(3, 4);

/* The numbers N of the entries named PREFIX<N> in a directory, N below @limit. @ret is initialised
 * here. */
_must_check_ int sysfs_ids(const struct root *root, const char *dir, const char *prefix,
			   unsigned limit, struct cpuset *ret);

bool sysfs_exists(const struct root *root, const char *fmt, ...) _printf_(2, 3);

#endif
