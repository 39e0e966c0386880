/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Values out of the text of /proc/meminfo, /proc/cpuinfo and the cache folders of sysfs: pure. */
#ifndef SYS_PROCINFO_H
#define SYS_PROCINFO_H

#include <stdint.h>

#include "util/compiler.h"
#include "util/slice.h"

/* The number behind @key ("MemTotal"), in the file's own unit, which is kB or none. Understands the
 * "Node 0 " in front of the lines of a NUMA node's meminfo. 1, 0 when there is no such line,
 * -EINVAL or -ERANGE when it holds something else. */
_must_check_ int meminfo_u64(struct slice text, const char *key, uint64_t *ret);

/* The text behind @key ("model name") in the first block, that is before the first blank line.
 * 1, 0 when there is none or it is empty, -EBADMSG when it holds a NUL byte. */
_must_check_ int cpuinfo_text(struct slice text, const char *key, struct slice *ret);

/* "32768K" (or M, G) as kB: 0, -EINVAL or -ERANGE. */
_must_check_ int cache_size_kb(struct slice text, uint64_t *ret);

#endif
