/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A set of CPU ids of any machine size. Ids below CPUSET_MAX; an empty set owns no memory.
 */
#ifndef UTIL_CPUSET_H
#define UTIL_CPUSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/compiler.h"
#include "util/slice.h"
#include "util/strbuf.h"

/* The largest mask sched_getaffinity() is asked for. */
#define CPUSET_MAX 262144u

struct cpuset {
	uint64_t *words;
	size_t n_words;
};

#define CPUSET_INIT                                                                                \
	{                                                                                          \
	}

/* Frees; the set is empty and usable again. */
void cpuset_done(struct cpuset *set);

/* A kernel cpulist, "0-3,8": blank tokens are skipped, a range needs FIRST <= LAST and spans at
 * most 65536 ids. Any bad token refuses the whole list: -EINVAL, or -ERANGE for ids past
 * CPUSET_MAX. A blank list is the empty set. @ret is initialised here and written on success only.
 */
_must_check_ int cpuset_parse(struct slice list, struct cpuset *ret);

/* Appends the shortest cpulist: runs of consecutive ids collapsed, comma separated. */
void cpuset_format(const struct cpuset *set, struct strbuf *out);

/* @cpu is below CPUSET_MAX. */
void cpuset_add(struct cpuset *set, unsigned cpu);
void cpuset_remove(struct cpuset *set, unsigned cpu);
bool cpuset_has(const struct cpuset *set, unsigned cpu);

bool cpuset_is_empty(const struct cpuset *set);
size_t cpuset_count(const struct cpuset *set);
bool cpuset_equal(const struct cpuset *a, const struct cpuset *b);
bool cpuset_subset(const struct cpuset *inner, const struct cpuset *outer);

/* The smallest id not below @from, or -1. Iterate with cpuset_for_each. */
int cpuset_next(const struct cpuset *set, unsigned from);

#define cpuset_for_each(set, cpu)                                                                  \
	for (int cpu = cpuset_next((set), 0); cpu >= 0; cpu = cpuset_next((set), (unsigned)cpu + 1))

/* set = set OP other */
void cpuset_or(struct cpuset *set, const struct cpuset *other);
void cpuset_and(struct cpuset *set, const struct cpuset *other);
void cpuset_andnot(struct cpuset *set, const struct cpuset *other);

/* @ret is initialised here. */
void cpuset_copy(const struct cpuset *set, struct cpuset *ret);

#endif
