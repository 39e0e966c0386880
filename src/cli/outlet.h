/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A standard stream that a reader may leave full: writing never blocks, what does not go out now
 * waits, and somebody polls. The stream itself is not switched to non-blocking, since others have
 * it too.
 */
#ifndef CLI_OUTLET_H
#define CLI_OUTLET_H

#include <stdbool.h>

#include "util/compiler.h"
#include "util/strbuf.h"

struct outlet {
	int fd;
	bool own; /* an open file of ours, non-blocking */
	struct strbuf waiting;
	size_t at; /* of it: written */
};

#define OUTLET_INIT                                                                                \
	{                                                                                          \
		.fd = -1, .waiting = STRBUF_INIT                                                   \
	}

/* @fd stays the caller's. */
void outlet_open(struct outlet *o, int fd);
void outlet_done(struct outlet *o);

/* Takes all of @bytes, and writes what goes: 0 or -errno of a stream that is broken. */
_must_check_ int outlet_write(struct outlet *o, struct slice bytes);
_must_check_ int outlet_flush(struct outlet *o);

bool outlet_is_empty(const struct outlet *o);

#endif
