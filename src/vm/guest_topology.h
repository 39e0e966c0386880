/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether a guest shows the machine that was asked for: pure. */
#ifndef VM_GUEST_TOPOLOGY_H
#define VM_GUEST_TOPOLOGY_H

#include "record/machine.h"
#include "util/compiler.h"
#include "util/err.h"
#include "util/slice.h"

/* @ready is the payload of SRDY: 0; -ERANGE with what differs; -EPROTO when it is not what the
 * protocol says. */
_must_check_ int guest_topology_check(const struct machine *m, struct slice ready, struct err *err);

#endif
