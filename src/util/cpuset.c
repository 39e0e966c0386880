// SPDX-License-Identifier: LGPL-2.1-or-later
#include "util/cpuset.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/parse.h"

#define RANGE_MAX 65536u

void cpuset_done(struct cpuset *set)
{
	free(set->words);
	*set = (struct cpuset)CPUSET_INIT;
}

static void cpuset_fit(struct cpuset *set, size_t n_words)
{
	if (n_words <= set->n_words)
		return;
	set->words = xreallocarray(set->words, n_words, sizeof(*set->words));
	memset(set->words + set->n_words, 0, (n_words - set->n_words) * sizeof(*set->words));
	set->n_words = n_words;
}

void cpuset_add(struct cpuset *set, unsigned cpu)
{
	assert(cpu < CPUSET_MAX);
	cpuset_fit(set, cpu / 64 + 1);
	assert(set->words);
	set->words[cpu / 64] |= 1ull << cpu % 64;
}

void cpuset_remove(struct cpuset *set, unsigned cpu)
{
	if (cpu / 64 < set->n_words)
		set->words[cpu / 64] &= ~(1ull << cpu % 64);
}

bool cpuset_has(const struct cpuset *set, unsigned cpu)
{
	return cpu / 64 < set->n_words && set->words[cpu / 64] >> cpu % 64 & 1;
}

static int parse_range(struct slice token, uint32_t *ret_first, uint32_t *ret_last)
{
	struct slice first, last;
	int r;

	if (!slice_split(token, '-', &first, &last))
		first = last = token;
	r = parse_u32(first, 0, CPUSET_MAX - 1, ret_first);
	if (r < 0)
		return r;
	r = parse_u32(last, 0, CPUSET_MAX - 1, ret_last);
	if (r < 0)
		return r;
	if (*ret_first > *ret_last || *ret_last - *ret_first >= RANGE_MAX)
		return -EINVAL;
	return 0;
}

int cpuset_parse(struct slice list, struct cpuset *ret)
{
	_cleanup_(cpuset_done) struct cpuset set = CPUSET_INIT;
	struct slice token;

	while (slice_cut(&list, ',', &token)) {
		uint32_t first, last;
		int r;

		token = slice_trim(token);
		if (!token.n)
			continue;
		r = parse_range(token, &first, &last);
		if (r < 0)
			return r;
		for (uint32_t cpu = first; cpu <= last; cpu++)
			cpuset_add(&set, cpu);
	}
	*ret = set;
	set = (struct cpuset)CPUSET_INIT;
	return 0;
}

void cpuset_format(const struct cpuset *set, struct strbuf *out)
{
	const char *comma = "";

	for (int first = cpuset_next(set, 0); first >= 0;) {
		int last = first;

		while (cpuset_has(set, (unsigned)last + 1))
			last++;
		strbuf_addf(out, "%s%d", comma, first);
		if (last > first)
			strbuf_addf(out, "-%d", last);
		comma = ",";
		first = cpuset_next(set, (unsigned)last + 1);
	}
}

bool cpuset_is_empty(const struct cpuset *set)
{
	return cpuset_next(set, 0) < 0;
}

size_t cpuset_count(const struct cpuset *set)
{
	size_t n = 0;

	for (size_t i = 0; i < set->n_words; i++)
		n += (size_t)__builtin_popcountll(set->words[i]);
	return n;
}

bool cpuset_equal(const struct cpuset *a, const struct cpuset *b)
{
	return cpuset_subset(a, b) && cpuset_subset(b, a);
}

bool cpuset_subset(const struct cpuset *inner, const struct cpuset *outer)
{
	for (size_t i = 0; i < inner->n_words; i++)
		if (inner->words[i] & ~(i < outer->n_words ? outer->words[i] : 0))
			return false;
	return true;
}

int cpuset_next(const struct cpuset *set, unsigned from)
{
	for (size_t i = from / 64; i < set->n_words; i++) {
		uint64_t word = set->words[i];

		if (i == from / 64)
			word &= ~0ull << from % 64;
		if (word)
			return (int)(i * 64) + __builtin_ctzll(word);
	}
	return -1;
}

void cpuset_or(struct cpuset *set, const struct cpuset *other)
{
	cpuset_fit(set, other->n_words);
	for (size_t i = 0; i < other->n_words; i++)
		set->words[i] |= other->words[i];
}

void cpuset_and(struct cpuset *set, const struct cpuset *other)
{
	for (size_t i = 0; i < set->n_words; i++)
		set->words[i] &= i < other->n_words ? other->words[i] : 0;
}

void cpuset_andnot(struct cpuset *set, const struct cpuset *other)
{
	for (size_t i = 0; i < set->n_words && i < other->n_words; i++)
		set->words[i] &= ~other->words[i];
}

void cpuset_copy(const struct cpuset *set, struct cpuset *ret)
{
	*ret = (struct cpuset)CPUSET_INIT;
	cpuset_or(ret, set);
}
