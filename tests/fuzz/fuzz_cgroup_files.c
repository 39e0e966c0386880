// SPDX-License-Identifier: GPL-2.0-only
/* A value of a cgroup is a number, unlimited or absent: never two of them. */
#include <stdint.h>
#include <stdlib.h>

#include "sys/cgroup_stats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct cgroup_number *n, uint64_t default_v)
{
	if (n->absent != ABSENCE_NONE && n->absent != ABSENCE_ERROR)
		abort();
	if (n->absent && (n->unlimited || n->v != default_v))
		abort();
	if (n->unlimited && n->v)
		abort();
}

static void check_numbers(struct slice text)
{
	struct cgroup_number count, limit, floor;

	cgroup_parse_count(text, &count);
	cgroup_parse_limit(text, &limit);
	cgroup_parse_floor(text, &floor);
	check(&count, 0);
	check(&limit, 0);
	check(&floor, 0);
	if (limit.absent != floor.absent || (limit.unlimited && floor.v != UINT64_MAX))
		abort();
	if (!count.absent && (limit.absent || count.v != limit.v || count.v != floor.v))
		abort();
}

/* cgroup_parse_key() and keyed_parse() read the same files. */
static void check_key(struct slice text, const char *key)
{
	struct arena arena = ARENA_INIT;
	struct keyed keyed = keyed_parse(text, NULL, &arena);
	uint64_t v, same;

	if (cgroup_parse_key(text, key, &v) > 0 && (!keyed_get(&keyed, key, &same) || same != v))
		abort();
	arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice text = { (const char *)data, size };
	struct cgroup_number quota, period;

	cgroup_parse_cpu_max(text, &quota, &period);
	check(&quota, 0);
	check(&period, CGROUP_PERIOD_DEFAULT);
	check_numbers(text);
	check_key(text, "usage_usec");
	check_key(text, "nr_throttled");
	return 0;
}
