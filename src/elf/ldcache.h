/* SPDX-License-Identifier: GPL-2.0-only */
/* /etc/ld.so.cache, as glibc's ldconfig writes it. */
#ifndef ELF_LDCACHE_H
#define ELF_LDCACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "util/slice.h"

/* The next path for library @name, from entry *@at on, which moves behind it; "at" starts at 0.
 * Builds for certain processors only are left out: the guest's may be another. False when there is
 * no more; a damaged cache holds nothing, as for the loader. */
bool ldcache_next(struct slice cache, const char *name, size_t *at, const char **ret_path);

#endif
