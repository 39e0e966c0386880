/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decimal points do not depend on the locale: what we write is read by programs, and the program
 * that links libktstr may have chosen any locale.
 *
 *	_cleanup_(numeric_locale_end) locale_t before = numeric_locale_begin();
 */
#ifndef UTIL_NUMERIC_LOCALE_H
#define UTIL_NUMERIC_LOCALE_H

#include <locale.h>

/* From here to the end of the scope this thread formats and parses numbers as in C. */
locale_t numeric_locale_begin(void);

static inline void numeric_locale_end(const locale_t *before)
{
	uselocale(*before);
}

#endif
