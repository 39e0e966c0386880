/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Bulk data with one owner: everything allocated from an arena lives until arena_done(). Blocks
 * double in size up to a limit, so the waste is bounded and small arenas stay small.
 */
#ifndef UTIL_ARENA_H
#define UTIL_ARENA_H

#include <stddef.h>

#include "util/slice.h"

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first */
	size_t used;                /* bytes of the newest block handed out */
	size_t next_size;
};

#define ARENA_INIT                                                                                 \
	{                                                                                          \
	}

/* Releases every allocation; the arena is empty and usable again. NULL is allowed. */
void arena_done(struct arena *arena);

/* @arena takes over all that @other owns, which is empty afterwards. */
void arena_absorb(struct arena *arena, struct arena *other);

/* Zeroed memory aligned for any object. */
void *arena_alloc(struct arena *arena, size_t size) __attribute__((returns_nonnull));

/* n * size is checked for overflow. */
void *arena_alloc_array(struct arena *arena, size_t n, size_t size)
	__attribute__((returns_nonnull));

/* A terminated copy. */
char *arena_strdup(struct arena *arena, struct slice s) __attribute__((returns_nonnull));

#define arena_new(arena, type) ((type *)arena_alloc((arena), sizeof(type)))

#endif
