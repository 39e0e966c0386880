/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decimal points do not depend on the locale: what we write is read by programs, and the program
 * that links libktstr may have chosen any locale.
 */
#ifndef UTIL_NUMERIC_LOCALE_H
#define UTIL_NUMERIC_LOCALE_H

#include <locale.h>

/* Returns what was in force before, for numeric_locale_end(). */
locale_t numeric_locale_begin(void);

static inline void numeric_locale_end(const locale_t *before)
{
	uselocale(*before);
}

/* A declaration: from here to the end of the scope this thread formats and parses numbers as in
 * the C locale. */
#define NUMERIC_LOCALE_SCOPE                                                                       \
	__attribute__((unused, cleanup(numeric_locale_end))) const locale_t numeric_before_ =      \
		numeric_locale_begin()

#endif
