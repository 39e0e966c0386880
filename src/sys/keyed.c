// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/keyed.h"

#include <stdlib.h>

#include "util/parse.h"
#include "util/vec.h"

/* A row while its place is not known yet. */
struct found {
	struct slice name; /* in the text */
	uint64_t v;
};

struct collected {
	VEC(struct found) rows;
};

/* Of two rows of one name the one that stands first in the text comes first. */
static int cmp_found(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	int r = slice_cmp(x->name, y->name);

	return r ? r : (x->name.s > y->name.s) - (x->name.s < y->name.s);
}

/* The name as a string that lives long enough. @at is where to go on looking in @like, which is in
 * the same order. */
static const char *keep_name(struct slice name, const struct keyed *like, size_t *at,
			     struct arena *arena)
{
	for (; like && *at < like->n; ++*at) {
		int r = slice_cmp(slice_of(like->rows[*at].name), name);

		if (r == 0)
			return like->rows[*at].name;
		if (r > 0)
			break;
	}
	return arena_strdup(arena, name);
}

/* Uses up what was collected. */
static struct keyed keep(struct collected *all, const struct keyed *like, struct arena *arena)
{
	struct found *found = all->rows.v;
	struct keyed_row *rows;
	size_t n = 0, at = 0;

	if (!all->rows.n)
		return (struct keyed){};
	qsort(found, all->rows.n, sizeof(found[0]), cmp_found);
	for (size_t i = 0; i < all->rows.n; i++)
		if (!n || !slice_eq(found[n - 1].name, found[i].name))
			found[n++] = found[i];
	rows = arena_alloc_array(arena, n, sizeof(rows[0]));
	for (size_t i = 0; i < n; i++)
		rows[i] = (struct keyed_row){ keep_name(found[i].name, like, &at, arena),
					      found[i].v };
	vec_done(&all->rows);
	return (struct keyed){ rows, n };
}

/* A name that holds a NUL byte could not be told from a shorter one. */
static void add(struct collected *all, struct slice name, struct slice number)
{
	uint64_t v;

	if (!name.n || memchr(name.s, '\0', name.n) || parse_u64(number, 0, UINT64_MAX, &v) < 0)
		return;
	vec_push(&all->rows, (struct found){ name, v });
}

struct keyed keyed_parse(struct slice text, const struct keyed *like, struct arena *arena)
{
	struct collected all = {};
	struct slice line, name, number, more;

	while (slice_line(&text, &line))
		if (slice_word(&line, &name) && slice_word(&line, &number) &&
		    !slice_word(&line, &more))
			add(&all, name, number);
	return keep(&all, like, arena);
}

static bool is_kb_name(struct slice name)
{
	struct slice rest = name, word;

	return slice_word(&rest, &word) && slice_eq(word, name) && !memchr(name.s, '-', name.n);
}

struct keyed keyed_parse_kb(struct slice text, const struct keyed *like, struct arena *arena)
{
	struct collected all = {};
	struct slice line, name, value, number;

	while (slice_line(&text, &line))
		if (slice_split(line, ':', &name, &value) && is_kb_name(name) &&
		    slice_word(&value, &number))
			add(&all, name, number);
	return keep(&all, like, arena);
}

static int cmp_row(const void *name, const void *row)
{
	return strcmp(name, ((const struct keyed_row *)row)->name);
}

int keyed_get(const struct keyed *keyed, const char *name, uint64_t *ret)
{
	const struct keyed_row *row =
		keyed->n ? bsearch(name, keyed->rows, keyed->n, sizeof(*row), cmp_row) : NULL;

	if (!row)
		return 0;
	*ret = row->v;
	return 1;
}
