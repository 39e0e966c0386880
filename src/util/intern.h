/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One copy of each text: names that thousands of threads share are kept once. The copies belong to
 * an arena and outlive the pool. Looking up is bounded whatever the texts are: one that would need
 * a long search is copied again instead.
 */
#ifndef UTIL_INTERN_H
#define UTIL_INTERN_H

#include "util/arena.h"
#include "util/slice.h"

struct intern_slot;

struct intern {
	struct arena *arena;
	struct intern_slot *slots;
	size_t n;     /* slots in use */
	size_t cap;   /* a power of two, or 0 */
	size_t bytes; /* taken from the arena so far */
};

#define INTERN_INIT(arena_)                                                                        \
	{                                                                                          \
		.arena = (arena_)                                                                  \
	}

/* Forgets the texts; the copies stay. */
void intern_done(struct intern *pool);

/* A terminated copy, aligned for any object. */
const char *intern(struct intern *pool, struct slice text) __attribute__((returns_nonnull));

#endif
