/* SPDX-License-Identifier: GPL-2.0-only */
/* Kernels to boot: where they are found, and a cache of those fetched or built. */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include <stdint.h>

#include "sys/kconfig.h"
#include "util/compiler.h"
#include "util/err.h"
#include "util/strbuf.h"

struct kernel {
	struct strbuf image;   /* path */
	struct strbuf release; /* "6.12.38-amd64", out of the image; "" when it does not tell */
	struct strbuf rule;    /* which rule of the discovery matched, in words */
	struct strbuf config;  /* path of its configuration; "" when there is none */
	struct strbuf modules; /* folder of *.ko that the guest has to load, in the order of their
				* names, before it can talk to us; "" when there is none */
	const char *arch;      /* "x86_64", out of the image */
	uint64_t
		init_bytes; /* what it needs to unpack itself: init_size of a bzImage; 0: unknown */
};

#define KERNEL_INIT                                                                                \
	{                                                                                          \
		.image = STRBUF_INIT, .release = STRBUF_INIT, .rule = STRBUF_INIT,                 \
		.config = STRBUF_INIT, .modules = STRBUF_INIT, .arch = "",                         \
	}

void kernel_done(struct kernel *k);

/* @want: a path to an image or a build tree, a version, a key of the cache, or NULL for the
 * discovery order of the manual (find.h). The kernel found is examined. 0; -ENOENT when there is
 * none; -ESRCH when what was named, here or in the environment, is not there; -errno when it is no
 * good. The message says what to type. What was named is never passed over for another. */
_must_check_ int kernel_find(const char *want, struct kernel *ret, struct err *err);

/* Fills in release, arch and init_bytes from the image at k->image: 0, -EBADMSG when it is no
 * kernel. */
_must_check_ int kernel_examine(struct kernel *k, struct err *err);

/* How it was configured: 0; -ENOENT when nothing tells; -errno. @ret is KCONFIG_INIT. */
_must_check_ int kernel_config_read(const struct kernel *k, struct kconfig *ret, struct err *err);

#endif
