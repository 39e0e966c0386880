/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The file systems of a guest, and the links below /dev that programs expect. */
#ifndef GUEST_MOUNTS_H
#define GUEST_MOUNTS_H

#include "util/compiler.h"
#include "util/err.h"
#include "util/strv.h"

/* All of mounts.def; what is mounted already stays. What could not be had and is not required is a
 * note each. 0 or -errno. */
_must_check_ int mounts_make(struct strv *notes, struct err *err);

/* Only /proc, for whoever has to read the kernel command line first. */
_must_check_ int mounts_make_proc(void);

#endif
