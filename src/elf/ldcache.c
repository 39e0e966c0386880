// SPDX-License-Identifier: GPL-2.0-only
#include "elf/ldcache.h"

#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

/* glibc, sysdeps/generic/dl-cache.h; words are in the machine's own order. */
#define MAGIC_OLD "ld.so-1.7.0"
#define MAGIC     "glibc-ld.so.cache1.1"

struct old_header {
	char magic[12];
	uint32_t n;
};
#define OLD_ENTRY 12u

struct header {
	char magic[sizeof(MAGIC) - 1];
	uint32_t n;
	uint32_t strings;
	uint8_t flags, padding[3];
	uint32_t extensions;
	uint32_t unused[3];
};
static_assert(sizeof(struct header) == 48, "layout of the cache");

struct entry {
	int32_t flags;
	uint32_t key, value; /* from the header on */
	uint32_t os_version;
	uint64_t hwcap;
};
static_assert(sizeof(struct entry) == 24, "layout of the cache");

/* Up to glibc 2.31 an older table stood before the one that counts. */
static struct slice skip_old(struct slice cache)
{
	struct old_header old;
	uint64_t n;

	if (!slice_starts(cache, MAGIC_OLD) || cache.n < sizeof(old))
		return cache;
	memcpy(&old, cache.s, sizeof(old));
	n = (sizeof(old) + (uint64_t)old.n * OLD_ENTRY + 7) & ~UINT64_C(7);
	return n > cache.n ? (struct slice){} : (struct slice){ cache.s + n, cache.n - n };
}

/* NULL when the string is too long for a path or does not end inside of the cache. */
static const char *string_at(struct slice cache, uint32_t offset)
{
	size_t most;

	if (offset >= cache.n)
		return NULL;
	most = cache.n - offset < PATH_MAX ? cache.n - offset : PATH_MAX;
	return memchr(cache.s + offset, '\0', most) ? cache.s + offset : NULL;
}

bool ldcache_next(struct slice cache, const char *name, size_t *at, const char **ret_path)
{
	struct header header;

	cache = skip_old(cache);
	if (!slice_starts(cache, MAGIC) || cache.n < sizeof(header))
		return false;
	memcpy(&header, cache.s, sizeof(header));
	if (header.n > (cache.n - sizeof(header)) / sizeof(struct entry))
		return false;
	while (*at < header.n) {
		struct entry e;
		const char *key, *value;

		memcpy(&e, cache.s + sizeof(header) + (*at)++ * sizeof(e), sizeof(e));
		key = string_at(cache, e.key);
		value = string_at(cache, e.value);
		if (!key || !value || e.hwcap || strcmp(key, name) != 0)
			continue;
		*ret_path = value;
		return true;
	}
	return false;
}
