/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to src/kernel: packages of Debian, through apt, without installing anything. */
#ifndef KERNEL_DEBIAN_H
#define KERNEL_DEBIAN_H

#include "kernel/work.h"
#include "util/compiler.h"
#include "util/err.h"
#include "util/slice.h"
#include "util/strbuf.h"

/* Debian's name of an architecture: "amd64" for "x86_64"; NULL when we know none. */
const char *debian_arch(const char *arch);

/* The highest of @names (one a line) that is the image of @version for virtual machines: true and
 * the name of the package. */
bool debian_pick_image(struct slice names, const char *version, const char *arch,
		       struct strbuf *ret);

/* The package for kernel_fetch(): @want is a version or a package. */
_must_check_ int debian_find_image(struct work *w, const char *want, struct strbuf *ret,
				   struct err *err);

/* The version of @package that apt would take. -ENOENT when it knows none. */
_must_check_ int debian_version(struct work *w, const char *package, struct strbuf *ret,
				struct err *err);

/* Downloads @package and unpacks it into the folder @dir, which is there. */
_must_check_ int debian_unpack(struct work *w, const char *package, const char *dir,
			       struct err *err);

#endif
