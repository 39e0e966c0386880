/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Typed growing arrays: `VEC(struct thread) threads = {};`. Elements are `threads.v[0 .. n-1]`.
 * The element type is checked by the compiler at every use.
 */
#ifndef UTIL_VEC_H
#define UTIL_VEC_H

#include <stdlib.h>

#include "util/alloc.h"

#define VEC(type)                                                                                  \
	struct {                                                                                   \
		type *v;                                                                           \
		size_t n;                                                                          \
		size_t cap;                                                                        \
	}

/* Room for @more further elements; the size is overflow-checked by xreallocarray. */
#define vec_reserve(vec, more)                                                                     \
	do {                                                                                       \
		if ((vec)->cap - (vec)->n < (size_t)(more)) {                                      \
			size_t cap_ = (vec)->cap < 8 ? 8 : (vec)->cap + (vec)->cap / 2;            \
			size_t need_;                                                              \
			if (__builtin_add_overflow((vec)->n, (size_t)(more), &need_))              \
				need_ = (size_t)-1;                                                \
			if (cap_ < need_)                                                          \
				cap_ = need_;                                                      \
			(vec)->v = xreallocarray((vec)->v, cap_, sizeof(*(vec)->v));               \
			(vec)->cap = cap_;                                                         \
		}                                                                                  \
	} while (0)

#define vec_push(vec, ...)                                                                         \
	do {                                                                                       \
		vec_reserve(vec, 1);                                                               \
		(vec)->v[(vec)->n++] = (__VA_ARGS__);                                              \
	} while (0)

/* Frees the array, not what the elements own; empty and usable again. */
#define vec_done(vec)                                                                              \
	do {                                                                                       \
		free((vec)->v);                                                                    \
		(vec)->v = NULL;                                                                   \
		(vec)->n = (vec)->cap = 0;                                                         \
	} while (0)

#endif
