/* SPDX-License-Identifier: GPL-2.0-only */
/* What the bytes of a kernel image tell. Pure: images come from users. */
#ifndef KERNEL_IMAGE_H
#define KERNEL_IMAGE_H

#include <stdint.h>

#include "util/compiler.h"
#include "util/err.h"
#include "util/slice.h"

/* IMAGE(id, arch, file): architecture as uname -m tells it, image below a build tree. */
enum kernel_image_kind {
#define IMAGE(id, arch, file) KERNEL_IMAGE_##id,
#include "kernel/images.def"
#undef IMAGE
	KERNEL_IMAGE_COUNT
};

/* "x86_64" and "arch/x86/boot/bzImage". */
extern const char *const kernel_image_archs[KERNEL_IMAGE_COUNT];
extern const char *const kernel_image_files[KERNEL_IMAGE_COUNT];

/* The kind that machines of this architecture boot; -1 when we know none. */
int kernel_image_of_arch(const char *arch);

struct kernel_image {
	enum kernel_image_kind kind;
	struct slice release; /* borrowed from the bytes; empty when they do not tell */
	uint64_t init_bytes;  /* what it needs to unpack itself; 0 when it does not tell */
};

/* Enough of the front of a bzImage to hold all that is parsed. */
#define KERNEL_IMAGE_HEAD (256u * 512)

/* @bytes: a bzImage or KERNEL_IMAGE_HEAD of it, a whole arm64 Image (not compressed). 0; -EBADMSG
 * for what is no kernel, with what it is where that is easy to see. */
_must_check_ int kernel_image_parse(struct slice bytes, struct kernel_image *ret, struct err *err);

#endif
