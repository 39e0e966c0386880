/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* /proc/TGID/task/TID/cgroup: where a thread is in the v2 hierarchy. */
#ifndef SYS_PROC_CGROUP_H
#define SYS_PROC_CGROUP_H

#include <stdbool.h>

#include "util/slice.h"

/* The path behind "0::", as it stands there (it may hold anything but a line end, and end in
 * " (deleted)"); points into the text. False without a v2 line or with an empty path; a line
 * without its line end may have been cut and does not count. */
bool proc_cgroup_path(struct slice text, struct slice *ret_path);

/* Why the folder of a cgroup cannot be looked up although its path is known. */
enum cgroup_path_kind {
	CGROUP_PATH_USABLE,
	CGROUP_PATH_DELETED, /* the group was removed under a thread that is leaving it */
	CGROUP_PATH_OUTSIDE, /* above our cgroup namespace: "/../x" */
	/* Never the kernel's: not absolute, holds a NUL byte, or a component is empty, "." or
	 * "..". */
	CGROUP_PATH_ODD,
};

enum cgroup_path_kind cgroup_path_kind(struct slice path);

#endif
