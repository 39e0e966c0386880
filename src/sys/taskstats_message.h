/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What comes over a generic netlink socket, read from a buffer: pure, so that it can be tried with
 * any bytes. Slices point into the buffer.
 */
#ifndef SYS_TASKSTATS_MESSAGE_H
#define SYS_TASKSTATS_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/compiler.h"
#include "util/slice.h"

struct taskstats_message {
	uint32_t seq; /* of the request it answers */
	uint16_t type;
	int code;           /* 0; the kernel's -errno; -EBADMSG when it is damaged */
	struct slice attrs; /* when the code is 0 */
};

/* Takes the first message off @rest; false when no header is left. Behind a message whose length
 * cannot be right nothing is left, since nobody knows where the next one begins. */
bool taskstats_message_next(struct slice *rest, struct taskstats_message *ret);

/* The payload of the first attribute of that type. 0 or -EBADMSG. */
_must_check_ int taskstats_attr(struct slice attrs, uint16_t type, struct slice *ret);

/* The statistics in the answer about one thread. 0; the code of the message; -EBADMSG also when it
 * is of another family or about another thread. */
_must_check_ int taskstats_message_stats(const struct taskstats_message *m, uint16_t family,
					 pid_t tid, struct slice *ret);

#endif
