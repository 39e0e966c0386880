/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Folders of our own: made with all above them, removed with all in them. */
#ifndef UTIL_FOLDER_H
#define UTIL_FOLDER_H

#include <stdint.h>

#include "util/compiler.h"
#include "util/err.h"
#include "util/strbuf.h"

/* One that is there already is fine. */
_must_check_ int folder_make(const char *path, struct err *err);

/* Links are removed, not followed. 0 also when it is not there; else -errno of the first thing that
 * stays, which does not keep the others. */
int folder_remove(const char *path);

/* Adds up the files below @path: 0 or -errno. */
_must_check_ int folder_bytes(const char *path, uint64_t *ret);

/* Appends the folder for what is expensive to make again: KTSTR_CACHE_DIR, else ktstr below
 * XDG_CACHE_HOME, else ~/.cache/ktstr. -ENOENT when none of the variables is set. */
_must_check_ int folder_cache(struct strbuf *out, struct err *err);

#endif
