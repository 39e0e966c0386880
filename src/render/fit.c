// SPDX-License-Identifier: GPL-2.0-only
#include "render/fit.h"

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t capped(const struct fit *c, bool first, size_t cap)
{
	if (c->first != first || c->width <= cap)
		return c->width;
	return larger(c->least, cap);
}

static size_t sum(const struct fit *columns, size_t n, bool first, size_t cap)
{
	size_t total = 0;

	for (size_t i = 0; i < n; i++)
		total += capped(&columns[i], first, cap);
	return total;
}

/* Caps the columns of one group at the greatest common width that fits; what is left over goes to
 * the leftmost capped ones, a column each. */
static void narrow(struct fit *columns, size_t n, bool first, size_t room)
{
	size_t fits = 0, wide = 0, spare;

	for (size_t i = 0; i < n; i++)
		wide = larger(columns[i].width, wide);
	while (wide - fits > 1) {
		size_t cap = fits + (wide - fits) / 2;

		if (sum(columns, n, first, cap) <= room)
			fits = cap;
		else
			wide = cap;
	}
	spare = sum(columns, n, first, fits);
	spare = spare < room ? room - spare : 0;
	for (size_t i = 0; i < n; i++) {
		size_t width = capped(&columns[i], first, fits);

		if (spare && width < columns[i].width && width == fits) {
			width++;
			spare--;
		}
		columns[i].width = width;
	}
}

/* Words stay whole only if those of all columns can: to keep some would take the last room from
 * the others. */
static void keep_words(struct fit *columns, size_t n, size_t room)
{
	size_t total = 0;

	for (size_t i = 0; i < n; i++)
		total += larger(columns[i].word, columns[i].least);
	if (total > room)
		return;
	for (size_t i = 0; i < n; i++)
		columns[i].least = larger(columns[i].word, columns[i].least);
}

void fit_columns(struct fit *columns, size_t n, size_t room)
{
	if (sum(columns, n, true, (size_t)-1) <= room)
		return;
	keep_words(columns, n, room);
	narrow(columns, n, true, room);
	if (sum(columns, n, true, (size_t)-1) > room)
		narrow(columns, n, false, room);
}
