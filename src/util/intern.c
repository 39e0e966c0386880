// SPDX-License-Identifier: LGPL-2.1-or-later
#include "util/intern.h"

#include <stdint.h>
#include <stdlib.h>

#include "util/alloc.h"

#define FIRST_CAP 256u
#define PROBES    16u

struct intern_slot {
	const char *s; /* NULL: free */
	size_t n;
	uint64_t hash;
};

void intern_done(struct intern *pool)
{
	free(pool->slots);
	*pool = (struct intern)INTERN_INIT(pool->arena);
}

static uint64_t hash_of(struct slice text)
{
	uint64_t h = text.n;

	for (size_t i = 0; i < text.n; i++)
		h = (h ^ (unsigned char)text.s[i]) * UINT64_C(0x100000001b3);
	return h ^ h >> 32;
}

/* The slot of the text, else a free one, else NULL. */
static struct intern_slot *find(const struct intern *pool, struct slice text, uint64_t hash)
{
	for (size_t i = 0; i < PROBES; i++) {
		struct intern_slot *slot = &pool->slots[(hash + i) & (pool->cap - 1)];

		if (!slot->s)
			return slot;
		if (slot->hash == hash && slice_eq((struct slice){ slot->s, slot->n }, text))
			return slot;
	}
	return NULL;
}

/* What finds no place any more is forgotten; its copy stays valid. */
static void grow(struct intern *pool)
{
	struct intern old = *pool;

	pool->cap = old.cap ? old.cap * 2 : FIRST_CAP;
	pool->slots = xcalloc(pool->cap, sizeof(*pool->slots));
	pool->n = 0;
	for (size_t i = 0; i < old.cap; i++) {
		struct intern_slot *from = &old.slots[i], *to;

		if (!from->s)
			continue;
		to = find(pool, (struct slice){ from->s, from->n }, from->hash);
		if (to) {
			*to = *from;
			pool->n++;
		}
	}
	free(old.slots);
}

const char *intern(struct intern *pool, struct slice text)
{
	uint64_t hash = hash_of(text);
	struct intern_slot *slot;
	const char *copy;

	if (pool->n >= pool->cap / 2)
		grow(pool);
	slot = find(pool, text, hash);
	if (slot && slot->s)
		return slot->s;
	copy = arena_strdup(pool->arena, text);
	pool->bytes += text.n + 1;
	if (slot) {
		*slot = (struct intern_slot){ copy, text.n, hash };
		pool->n++;
	}
	return copy;
}
