/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A growing, NULL-terminated array of owned strings: argument vectors and name lists. */
#ifndef UTIL_STRV_H
#define UTIL_STRV_H

#include <stddef.h>

#include "util/compiler.h"

struct strv {
	char **v; /* NULL while empty, otherwise v[n] is NULL */
	size_t n;
	size_t cap;
};

#define STRV_INIT                                                                                  \
	{                                                                                          \
	}

/* Frees every string; the array is empty and usable again. */
void strv_done(struct strv *sv);

void strv_add(struct strv *sv, const char *s);
void strv_addf(struct strv *sv, const char *fmt, ...) _printf_(2, 3);

/* Ascending byte order. */
void strv_sort(struct strv *sv);

#endif
