// SPDX-License-Identifier: LGPL-2.1-or-later
#include "util/suggest.h"

#include <string.h>

#include "util/escape.h"

#define WORD_MAX 48

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

/* Damerau-Levenshtein distance in which no part is edited twice. */
static unsigned distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
	unsigned rows[3][WORD_MAX + 1];

	for (size_t j = 0; j <= n_b; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= n_a; i++) {
		unsigned *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= n_b; j++) {
			now[j] = min3(last[j] + 1, now[j - 1] + 1,
				      last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = min3(now[j], before[j - 2] + 1, now[j]);
		}
	}
	return rows[n_a % 3][n_b];
}

void suggest_init(struct suggestion *s, const char *word)
{
	*s = (struct suggestion){ .word = word };
}

void suggest_offer(struct suggestion *s, const char *candidate)
{
	size_t n = strlen(s->word), m = strlen(candidate);
	unsigned d;

	if (n == 0 || n > WORD_MAX || m > WORD_MAX)
		return;
	if (strncmp(candidate, s->word, n) == 0)
		d = 1;
	else
		d = distance(s->word, n, candidate, m);
	/* A third of the word may be wrong, and not all of a short one. */
	if (d > (n < 6 ? 1 : n / 3) || d > 3 || d >= m)
		return;
	if (!s->best || d < s->distance) {
		s->best = candidate;
		s->distance = d;
	}
}

void quote_word(struct strbuf *out, const char *word)
{
	struct slice rest = slice_of(word);
	size_t n = 0;

	while (n < rest.n && n < WORD_MAX) {
		struct slice tail = { rest.s + n, rest.n - n };
		uint32_t code_point;
		size_t len = utf8_decode(tail, &code_point);

		n += len ? len : 1;
	}
	escape_text(out, (struct slice){ rest.s, n });
	if (n < rest.n)
		strbuf_addstr(out, "...");
}
