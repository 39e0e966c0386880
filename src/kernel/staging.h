/* SPDX-License-Identifier: GPL-2.0-only */
/* A new entry of the cache while it is being made. */
#ifndef KERNEL_STAGING_H
#define KERNEL_STAGING_H

#include "util/compiler.h"
#include "util/err.h"
#include "util/strbuf.h"

#define KERNEL_STAGING_PREFIX ".new-"

struct kernel_staging {
	struct strbuf target; /* the entry to be */
	struct strbuf dir;    /* a folder to work in; only its part `entry` is kept */
	struct strbuf entry;
	struct strbuf lock_path;
	int lock;
};

#define KERNEL_STAGING_INIT                                                                        \
	{                                                                                          \
		.target = STRBUF_INIT, .dir = STRBUF_INIT, .entry = STRBUF_INIT,                   \
		.lock_path = STRBUF_INIT, .lock = -1,                                              \
	}

/* Takes the lock of @key: 0; -EAGAIN while somebody else has it; -errno. */
_must_check_ int kernel_staging_lock(struct kernel_staging *s, const char *cache, const char *key,
				     struct err *err);

/* With the lock: makes the empty folders. */
_must_check_ int kernel_staging_begin(struct kernel_staging *s, struct err *err);

/* The entry is whole: it takes the place of one with the same key. */
_must_check_ int kernel_staging_commit(struct kernel_staging *s, struct err *err);

/* Removes what was not kept, then the lock. */
void kernel_staging_done(struct kernel_staging *s);

/* Removes what others, who are gone, left in @cache. */
void kernel_staging_sweep(const char *cache);

#endif
