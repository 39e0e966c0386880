/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* FNV-1a over bytes, for names that have to be the same next time. No defence against anybody who
 * looks for two inputs with one hash. */
#ifndef UTIL_HASH_H
#define UTIL_HASH_H

#include <stdint.h>

#include "util/slice.h"

#define HASH_INIT UINT64_C(0xcbf29ce484222325)

/* Goes on from @hash, which starts as HASH_INIT. */
static inline uint64_t hash_bytes(uint64_t hash, struct slice bytes)
{
	for (size_t i = 0; i < bytes.n; i++)
		hash = (hash ^ (unsigned char)bytes.s[i]) * UINT64_C(0x100000001b3);
	return hash;
}

#endif
