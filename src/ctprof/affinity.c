// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/affinity.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/alloc.h"
#include "util/cleanup.h"

#define MASK_BYTES_FIRST (8192u / 8)
#define MASK_BYTES_MAX   (CPUSET_MAX / 8)

void affinity_cache_init(struct affinity_cache *cache, struct arena *arena)
{
	*cache = (struct affinity_cache){ .arena = arena };
}

void affinity_cache_done(struct affinity_cache *cache)
{
	free(cache->mask);
	cache->mask = NULL;
}

/* The kept set that equals @words. */
static const struct cpuset *keep(struct affinity_cache *cache, const uint64_t *words, size_t n)
{
	struct cpuset *set;

	while (n > 0 && !words[n - 1])
		n--;
	if (n == 0)
		return NULL;
	for (unsigned i = 0; i < AFFINITY_RECENT; i++) {
		const struct cpuset *old = cache->recent[i];

		if (old && old->n_words == n && memcmp(old->words, words, n * sizeof(*words)) == 0)
			return old;
	}
	set = arena_new(cache->arena, struct cpuset);
	set->words = arena_alloc_array(cache->arena, n, sizeof(*words));
	set->n_words = n;
	memcpy(set->words, words, n * sizeof(*words));
	cache->recent[cache->next++ % AFFINITY_RECENT] = set;
	return set;
}

/* The wrapper of the C library hides how much the kernel wrote. */
static long get_mask(struct affinity_cache *cache, uint32_t tid)
{
	long n;

	if (!cache->mask) {
		cache->mask_bytes = MASK_BYTES_FIRST;
		cache->mask = xcalloc(1, cache->mask_bytes);
	}
	for (;;) {
		n = syscall(SYS_sched_getaffinity, tid, cache->mask_bytes, cache->mask);
		if (n >= 0 || errno != EINVAL || cache->mask_bytes >= MASK_BYTES_MAX)
			return n < 0 ? -errno : n;
		cache->mask_bytes *= 2;
		cache->mask = xreallocarray(cache->mask, 1, cache->mask_bytes);
	}
}

enum absence affinity_of_thread(struct affinity_cache *cache, uint32_t tid,
				const struct cpuset **ret)
{
	long n = get_mask(cache, tid);
	const struct cpuset *set;

	if (n < 0)
		return absence_of((int)n);
	set = keep(cache, cache->mask, (size_t)n / sizeof(*cache->mask));
	if (!set)
		return ABSENCE_ERROR;
	*ret = set;
	return ABSENCE_NONE;
}

const struct cpuset *affinity_of_list(struct affinity_cache *cache, struct slice list)
{
	_cleanup_(cpuset_done) struct cpuset set = CPUSET_INIT;

	if (cpuset_parse(list, &set) < 0)
		return NULL;
	return keep(cache, set.words, set.n_words);
}
