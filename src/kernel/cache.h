/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cache of kernels: a folder per kernel, named by its key, with image, config,
 * metadata.json and the few modules it needs. Entries appear whole, by a rename, and are made under
 * a lock of their key. What somebody who was killed left half done has a name that starts with a
 * dot, and the next one of us removes it.
 */
#ifndef KERNEL_CACHE_H
#define KERNEL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/metadata.h"
#include "util/compiler.h"
#include "util/err.h"
#include "util/strbuf.h"
#include "util/strv.h"
#include "util/vec.h"

#define KERNEL_CACHE_IMAGE    "image"
#define KERNEL_CACHE_CONFIG   "config"
#define KERNEL_CACHE_MODULES  "modules" /* a folder, where there are any */
#define KERNEL_CACHE_METADATA "metadata.json"

enum kernel_entry_state {
#define ENTRY_STATE(id, name) KERNEL_ENTRY_##id,
#include "kernel/states.def"
#undef ENTRY_STATE
	KERNEL_ENTRY_STATES
};

extern const char *const kernel_entry_state_names[KERNEL_ENTRY_STATES];

struct kernel_entry {
	struct strbuf key;
	struct strbuf path; /* of the folder */
	struct kernel_metadata metadata;
	enum kernel_entry_state state; /* not VALID: never booted unless somebody names its image */
	uint64_t bytes;
};

void kernel_entry_done(struct kernel_entry *e);

struct kernel_entries {
	VEC(struct kernel_entry) list;
};

void kernel_entries_done(struct kernel_entries *entries);

/* Appends the folder of all entries, below folder_cache(). */
_must_check_ int kernel_cache_folder(struct strbuf *out, struct err *err);

/* All entries in the folder @cache, newest first. A cache that is not there has none. @arch: the
 * machine that is to boot them. */
_must_check_ int kernel_cache_list(const char *cache, const char *arch, struct kernel_entries *ret,
				   struct err *err);

/* One entry; false when there is none of that key. */
bool kernel_cache_get(const char *cache, const char *arch, const char *key,
		      struct kernel_entry *ret);

/* Whether @release is @version or a patch of it: "6.12" is that of "6.12.3-x", not of "6.120". */
bool kernel_release_is(const char *release, const char *version);

/* Removes entries: those that are not valid, and all but the @keep newest valid ones. What is being
 * made right now stays. Moves the removed ones from @entries to @ret_removed. */
_must_check_ int kernel_cache_clean(const char *cache, size_t keep, struct kernel_entries *entries,
				    struct kernel_entries *ret_removed, struct err *err);

#endif
