/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* "Did you mean": the nearest of some names to a mistyped one. */
#ifndef UTIL_SUGGEST_H
#define UTIL_SUGGEST_H

#include "util/strbuf.h"

struct suggestion {
	const char *word;
	const char *best; /* NULL while nothing is near enough */
	unsigned distance;
};

void suggest_init(struct suggestion *s, const char *word);

/* Keeps @candidate if it is nearer than what was offered before. Near means few insertions,
 * removals, replacements or swaps of neighbours for the length of the word, or that the word is the
 * beginning of the candidate. */
void suggest_offer(struct suggestion *s, const char *candidate);

/* Appends the word from outside for a message: escaped, and cut when it is long. */
void quote_word(struct strbuf *out, const char *word);

#endif
