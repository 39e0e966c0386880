/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The virtio port to the host, found by its name without udev. */
#ifndef GUEST_PORT_H
#define GUEST_PORT_H

#include "util/compiler.h"
#include "util/err.h"
#include "util/root.h"
#include "util/strbuf.h"

/* Replaces what @ret holds by the name of the port's device ("vport0p1"): 1, 0 not there (yet),
 * -errno. */
_must_check_ int port_find(const struct root *root, const char *name, struct strbuf *ret);

/* Waits for the port to appear and opens it, non-blocking: a descriptor, or -errno when the
 * deadline (CLOCK_MONOTONIC) has passed. A port can be opened once. */
_must_check_ int port_open(const struct root *root, const char *name, int64_t deadline_ms,
			   struct err *err);

#endif
