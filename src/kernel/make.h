/* SPDX-License-Identifier: GPL-2.0-only */
/* New entries for the cache: kernels fetched from Debian, and kernels built. */
#ifndef KERNEL_MAKE_H
#define KERNEL_MAKE_H

#include <stdint.h>

#include "kernel/cache.h"
#include "util/compiler.h"
#include "util/err.h"

struct kernel_progress {
	const char *step; /* "unpacking the source" */
	const char *line; /* the last line that a program wrote */
	uint64_t objects; /* files compiled so far */
	uint64_t seconds; /* since the work was begun */
	const char *log;  /* path of the log; NULL: none yet */
};

/* How the work is done, and who is told; both callbacks are optional. */
struct kernel_job {
	const char *cache; /* folder of the entries */
	const char *arch;  /* as uname -m */
	unsigned jobs;     /* compilers at a time */
	int stop_fd;       /* readable: give up, leave nothing; -1: none */
	void *ctx;
	void (*progress)(void *ctx, const struct kernel_progress *progress); /* often */
	void (*note)(void *ctx, const char *text); /* what the user should know, one line */
};

/* Debian's kernel for virtual machines. @want: "6.12" (the newest of that version), the name of a
 * package, or NULL for KERNEL_FETCH_VERSION. 0 and its entry, which may have been there before;
 * -ECANCELED; -errno. */
#define KERNEL_FETCH_VERSION "6.12"
_must_check_ int kernel_fetch(const struct kernel_job *job, const char *want,
			      struct kernel_entry *ret, struct err *err);

/* One with our options. @source: a source tree (which is not changed), a tarball, a package
 * linux-source-*, or NULL for KERNEL_BUILD_SOURCE. Returns as kernel_fetch(). */
#define KERNEL_BUILD_SOURCE "linux-source-6.12"
_must_check_ int kernel_build(const struct kernel_job *job, const char *source,
			      struct kernel_entry *ret, struct err *err);

#endif
