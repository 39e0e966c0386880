/* SPDX-License-Identifier: GPL-2.0-only */
/* What the cache knows of a kernel: metadata.json beside its image. */
#ifndef KERNEL_METADATA_H
#define KERNEL_METADATA_H

#include <stdint.h>

#include "util/compiler.h"
#include "util/err.h"
#include "util/slice.h"
#include "util/strbuf.h"

struct kernel_metadata {
	struct strbuf release;
	struct strbuf arch;   /* as uname -m */
	struct strbuf source; /* "linux-source-6.12 6.12.115-2", for people and to compare */
	struct strbuf
		fragment; /* hash of the options it was built with; "" for one not built here */
	uint64_t made;    /* seconds of the epoch */
};

#define KERNEL_METADATA_INIT                                                                       \
	{                                                                                          \
		.release = STRBUF_INIT, .arch = STRBUF_INIT, .source = STRBUF_INIT,                \
		.fragment = STRBUF_INIT,                                                           \
	}

void kernel_metadata_done(struct kernel_metadata *m);

/* Appends the document. */
void kernel_metadata_write(const struct kernel_metadata *m, struct strbuf *out);

/* @m is KERNEL_METADATA_INIT. 0; -errno when it is not one of ours or tells too little. */
_must_check_ int kernel_metadata_read(struct slice document, struct kernel_metadata *m,
				      struct err *err);

/* Appends the hash as it stands in `fragment`. */
void kernel_metadata_fragment(struct strbuf *out);

#endif
