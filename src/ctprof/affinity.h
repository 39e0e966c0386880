/* SPDX-License-Identifier: GPL-2.0-only */
/* Which CPUs a thread may run on. Most threads share a few sets, so each is kept once. */
#ifndef CTPROF_AFFINITY_H
#define CTPROF_AFFINITY_H

#include <stddef.h>
#include <stdint.h>

#include "util/absence.h"
#include "util/arena.h"
#include "util/cpuset.h"
#include "util/slice.h"

#define AFFINITY_RECENT 8

struct affinity_cache {
	const struct cpuset *recent[AFFINITY_RECENT];
	unsigned next;
	size_t mask_bytes; /* what the kernel wants for a mask, once known */
	uint64_t *mask;
	struct arena *arena; /* where the sets live */
};

void affinity_cache_init(struct affinity_cache *cache, struct arena *arena);
void affinity_cache_done(struct affinity_cache *cache);

/* By system call, for a thread of our own pid namespace. */
enum absence affinity_of_thread(struct affinity_cache *cache, uint32_t tid,
				const struct cpuset **ret);

/* From a list as in "0-3,8"; NULL when it is empty or malformed. */
const struct cpuset *affinity_of_list(struct affinity_cache *cache, struct slice list);

#endif
