/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel's log from /dev/kmsg, as lines "<LEVEL>[SECONDS] text". What nobody had room for stays
 * in the kernel's buffer; when that wraps around, the numbers of the records tell how many are
 * gone, and a line of ours says so.
 */
#ifndef GUEST_KMSG_H
#define GUEST_KMSG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/compiler.h"
#include "util/slice.h"
#include "util/strbuf.h"

struct kmsg_record {
	uint32_t level; /* 0 to 7 */
	uint64_t seq;
	uint64_t us; /* since boot */
	struct slice text;
};

/* What one read() gave: 0, -EBADMSG when it is no record. */
_must_check_ int kmsg_parse(struct slice bytes, struct kmsg_record *ret);

struct kmsg {
	int fd;        /* -1: there is none, or it gave up */
	uint64_t next; /* number of the record that is due */
	uint64_t lost;
};

#define KMSG_INIT                                                                                  \
	{                                                                                          \
		.fd = -1                                                                           \
	}

/* 0 or -errno. From the oldest record on. */
_must_check_ int kmsg_open(struct kmsg *k);
void kmsg_close(struct kmsg *k);

/* Appends one record to @out, and what was lost before it. */
void kmsg_add(struct kmsg *k, const struct kmsg_record *record, struct strbuf *out);

/* Appends records until @room bytes are there: true; or until there are no more: false. */
_must_check_ bool kmsg_read(struct kmsg *k, size_t room, struct strbuf *out);

#endif
