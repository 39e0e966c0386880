// SPDX-License-Identifier: LGPL-2.1-or-later
#include "util/arena.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

#define FIRST_BLOCK 4096u
#define LAST_BLOCK  (1024u * 1024)

struct arena_block {
	struct arena_block *next;
	size_t size;
	_Alignas(max_align_t) char bytes[];
};

void arena_done(struct arena *arena)
{
	if (!arena)
		return;
	for (struct arena_block *b = arena->blocks, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	*arena = (struct arena)ARENA_INIT;
}

void arena_absorb(struct arena *arena, struct arena *other)
{
	struct arena_block **end = arena->blocks ? &arena->blocks->next : &arena->blocks;
	struct arena_block *rest = *end;

	/* Behind the newest block, which stays the one that is handed out from. */
	if (!arena->blocks)
		arena->used = other->used;
	*end = other->blocks;
	while (*end)
		end = &(*end)->next;
	*end = rest;
	*other = (struct arena)ARENA_INIT;
}

static void arena_grow(struct arena *arena, size_t need)
{
	size_t size = arena->next_size ? arena->next_size : FIRST_BLOCK;
	struct arena_block *b;

	arena->next_size = size < LAST_BLOCK ? size * 2 : LAST_BLOCK;
	if (size < need)
		size = need;
	b = xcalloc(1, sizeof(*b) + size);
	b->size = size;
	b->next = arena->blocks;
	arena->blocks = b;
	arena->used = 0;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	const size_t align = _Alignof(max_align_t);
	size_t need;
	void *p;

	/* An overflowing size becomes one that cannot be had, which ends the program. */
	if (__builtin_add_overflow(size, align - 1, &need))
		need = (size_t)-1 / 2;
	need &= ~(align - 1);
	if (!arena->blocks || arena->blocks->size - arena->used < need)
		arena_grow(arena, need);
	p = arena->blocks->bytes + arena->used;
	arena->used += need;
	return p;
}

void *arena_alloc_array(struct arena *arena, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		bytes = (size_t)-1 / 2;
	return arena_alloc(arena, bytes);
}

char *arena_strdup(struct arena *arena, struct slice s)
{
	char *copy = arena_alloc(arena, s.n + 1);

	if (s.n)
		memcpy(copy, s.s, s.n);
	return copy;
}
