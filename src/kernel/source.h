/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to src/kernel: where the source of a kernel to be built comes from. */
#ifndef KERNEL_SOURCE_H
#define KERNEL_SOURCE_H

#include <stdint.h>

#include "kernel/work.h"
#include "util/compiler.h"
#include "util/err.h"
#include "util/strbuf.h"

enum kernel_source_kind {
	KERNEL_SOURCE_TREE,
	KERNEL_SOURCE_TARBALL,
	KERNEL_SOURCE_PACKAGE,
};

struct kernel_source {
	enum kernel_source_kind kind;
	const char *name;       /* as it was given */
	struct strbuf identity; /* differs for different content; shown to people */
	struct strbuf label;    /* a name for keys */
};

#define KERNEL_SOURCE_INIT                                                                         \
	{                                                                                          \
		.identity = STRBUF_INIT, .label = STRBUF_INIT,                                     \
	}

void kernel_source_done(struct kernel_source *s);

/* Looks at it, without unpacking anything. */
_must_check_ int kernel_source_open(struct work *w, const char *name, struct kernel_source *ret,
				    struct err *err);

/* Appends the path of the source tree, which a tarball or package is unpacked for below @dir. */
_must_check_ int kernel_source_unpack(struct work *w, const struct kernel_source *s,
				      const char *dir, struct strbuf *ret, struct err *err);

/* The key of the entry for this source, our options and @arch. */
void kernel_source_key(const struct kernel_source *s, const char *arch, struct strbuf *out);

#endif
