/* SPDX-License-Identifier: GPL-2.0-only */
/* The front of a text, as a file that was cut there would hold it. */
#ifndef TESTS_CUT_H
#define TESTS_CUT_H

#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/slice.h"

/* In a block of exactly this size, in which ASan sees one byte too many; to be freed by cut_done().
 */
static inline struct slice cut_at(struct slice text, size_t n)
{
	char *copy = malloc(n ? n : 1);

	assert_non_null(copy);
	if (n)
		memcpy(copy, text.s, n);
	return (struct slice){ copy, n };
}

static inline void cut_done(struct slice cut)
{
	free((char *)cut.s);
}

#endif
