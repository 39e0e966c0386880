/* SPDX-License-Identifier: GPL-2.0-only */
/* Kernels to boot: where they are found, and a cache of those fetched or built. */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include <stdint.h>

#include "util/compiler.h"
#include "util/err.h"
#include "util/strbuf.h"

struct kernel {
	struct strbuf image;   /* path */
	struct strbuf release; /* "6.12.38-amd64", out of the image; "" when it does not tell */
	struct strbuf rule;    /* which rule of the discovery matched, in words */
	struct strbuf config;  /* path of its configuration; "" when there is none */
	uint64_t init_bytes;   /* what it needs to unpack itself: init_size of a bzImage */
};

#define KERNEL_INIT                                                                                \
	{                                                                                          \
		STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, 0                              \
	}

void kernel_done(struct kernel *k);

/* @want: a path to an image or a build tree, a version, a key of the cache, or NULL for the
 * discovery order of the manual. 0; -ENOENT with what to type. */
_must_check_ int kernel_find(const char *want, struct kernel *ret, struct err *err);

/* Fills in release and init_bytes from the image at k->image: 0, -EBADMSG when it is no kernel. */
_must_check_ int kernel_examine(struct kernel *k, struct err *err);

#endif
