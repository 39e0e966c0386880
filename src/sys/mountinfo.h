/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The mounts a process sees: /proc/PID/mountinfo. */
#ifndef SYS_MOUNTINFO_H
#define SYS_MOUNTINFO_H

#include <stdbool.h>

#include "util/slice.h"
#include "util/strbuf.h"

/* One line, borrowed from the text. Paths are as the kernel wrote them: see
 * mountinfo_unescape(). */
struct mount {
	struct slice root;    /* what of the file system is mounted, "/" for all of it */
	struct slice point;   /* where */
	struct slice options; /* of this mount: "rw,relatime" */
	struct slice fstype;
	struct slice super_options; /* of the file system: "rw,cpu,cpuacct" */
};

/* Takes the next well-formed line off @rest, passing over others. False at the end. */
bool mountinfo_next(struct slice *rest, struct mount *ret);

/* Appends the path with the kernel's octal escapes (\040 for a blank) resolved. */
void mountinfo_unescape(struct slice escaped, struct strbuf *out);

/* Whether the comma-separated @options contain @option, whole. */
bool mountinfo_has_option(struct slice options, const char *option);

#endif
