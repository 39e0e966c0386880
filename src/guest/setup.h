/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What init does to a fresh guest before it reports. */
#ifndef GUEST_SETUP_H
#define GUEST_SETUP_H

#include <stdbool.h>

#include "record/ready.h"
#include "util/compiler.h"
#include "util/err.h"
#include "util/root.h"
#include "util/slice.h"
#include "util/strv.h"

/* Whether @word stands in the kernel's command line, whole. */
bool setup_has_word(struct slice cmdline, const char *word);

/* File systems, the sentinel, cgroup controllers, statistics of BPF programs. What could not be had
 * and is not required is a note each. 0 or -errno. */
_must_check_ int setup_guest(struct strv *notes, struct err *err);

/* Ahead of whatever scheduler is under test; what we fork is not. 0 or -errno. */
_must_check_ int setup_priority(void);

/* What the guest can say of itself, except for its notes. What cannot be read is a note. */
void setup_describe(const struct root *root, struct ready *ret);

#endif
