// SPDX-License-Identifier: LGPL-2.1-or-later
#include "util/slice.h"

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

int slice_cmp(struct slice a, struct slice b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int r = n ? memcmp(a.s, b.s, n) : 0;

	return r ? r : (a.n > b.n) - (a.n < b.n);
}

struct slice slice_trim(struct slice a)
{
	while (a.n && is_space(a.s[0])) {
		a.s++;
		a.n--;
	}
	while (a.n && is_space(a.s[a.n - 1]))
		a.n--;
	return a;
}

bool slice_cut(struct slice *rest, char sep, struct slice *ret_part)
{
	const char *at;

	if (!rest->n)
		return false;
	at = memchr(rest->s, sep, rest->n);
	if (!at) {
		*ret_part = *rest;
		*rest = (struct slice){ rest->s + rest->n, 0 };
		return true;
	}
	*ret_part = (struct slice){ rest->s, (size_t)(at - rest->s) };
	*rest = (struct slice){ at + 1, rest->n - ret_part->n - 1 };
	return true;
}

bool slice_line(struct slice *rest, struct slice *ret_line)
{
	const char *end = rest->n ? memchr(rest->s, '\n', rest->n) : NULL;

	if (!end)
		return false;
	*ret_line = (struct slice){ rest->s, (size_t)(end - rest->s) };
	*rest = (struct slice){ end + 1, rest->n - ret_line->n - 1 };
	return true;
}

bool slice_word(struct slice *rest, struct slice *ret_word)
{
	size_t from = 0, to;

	while (from < rest->n && is_space(rest->s[from]))
		from++;
	if (from == rest->n)
		return false;
	to = from;
	while (to < rest->n && !is_space(rest->s[to]))
		to++;
	*ret_word = (struct slice){ rest->s + from, to - from };
	*rest = (struct slice){ rest->s + to, rest->n - to };
	return true;
}

bool slice_split(struct slice line, char sep, struct slice *ret_key, struct slice *ret_value)
{
	const char *at = line.n ? memchr(line.s, sep, line.n) : NULL;

	if (!at)
		return false;
	*ret_key = slice_trim((struct slice){ line.s, (size_t)(at - line.s) });
	*ret_value = slice_trim((struct slice){ at + 1, line.n - (size_t)(at - line.s) - 1 });
	return true;
}
