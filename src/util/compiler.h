/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef UTIL_COMPILER_H
#define UTIL_COMPILER_H

#define _must_check_    __attribute__((warn_unused_result))
#define _printf_(f, a)  __attribute__((format(printf, f, a)))
#define _noreturn_      __attribute__((noreturn))
#define _always_inline_ static inline __attribute__((always_inline))

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* Refuses a pointer: its type equals the type of the address of its first element. */
#define ARRAY_SIZE(a)                                                                              \
	(sizeof(a) / sizeof((a)[0]) +                                                              \
	 0 * sizeof(struct {                                                                       \
		 _Static_assert(!__builtin_types_compatible_p(typeof(a), typeof(&(a)[0])),         \
				"ARRAY_SIZE of a pointer");                                        \
		 int unused;                                                                       \
	 }))

#endif
