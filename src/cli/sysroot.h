/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CLI_SYSROOT_H
#define CLI_SYSROOT_H

#include "util/root.h"

/* Opens the tree that --sysroot names; at log level debug each path looked up in it is told, as
 * "read 'PATH'", "missing 'PATH'" or "cannot read 'PATH': REASON" (tools/record-fixture relies on
 * it). EXIT_OK, or EXIT_TROUBLE after a message. */
_must_check_ int sysroot_open(struct root *root, const char *dir);

#endif
