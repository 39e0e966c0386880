/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* /proc/TGID/task/TID/io: bytes and calls of reading and writing. */
#ifndef SYS_PROC_IO_H
#define SYS_PROC_IO_H

#include <stdint.h>

#include "util/slice.h"

struct proc_io {
#define IO_KEY(name) uint64_t name;
#include "sys/proc_io.def"
#undef IO_KEY
};

/* 0 when every value was found, else -EBADMSG: what is missing or malformed is zero. A line without
 * its line end may have been cut and does not count; of a key that comes twice the first does. */
int proc_io_parse(struct slice text, struct proc_io *ret);

#endif
