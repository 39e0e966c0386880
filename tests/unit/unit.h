/* SPDX-License-Identifier: GPL-2.0-only */
/* cmocka with what it needs, and the long counts of `make soak`. */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* How often to repeat what costs @n rounds in `make check`. */
static inline unsigned soak_rounds(unsigned n)
{
	return getenv("KTSTR_SOAK") ? 20 * n : n;
}

#endif
