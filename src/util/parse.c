// SPDX-License-Identifier: LGPL-2.1-or-later
#include "util/parse.h"

#include <errno.h>

static int digits(struct slice s, uint64_t *ret)
{
	uint64_t v = 0;

	if (!s.n)
		return -EINVAL;
	for (size_t i = 0; i < s.n; i++)
		if (s.s[i] < '0' || s.s[i] > '9')
			return -EINVAL;
	for (size_t i = 0; i < s.n; i++)
		if (__builtin_mul_overflow(v, 10u, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(s.s[i] - '0'), &v))
			return -ERANGE;
	*ret = v;
	return 0;
}

int parse_u64(struct slice s, uint64_t min, uint64_t max, uint64_t *ret)
{
	uint64_t v;
	int r = digits(s, &v);

	if (r < 0)
		return r;
	if (v < min || v > max)
		return -ERANGE;
	*ret = v;
	return 0;
}

int parse_i64(struct slice s, int64_t min, int64_t max, int64_t *ret)
{
	bool negative = s.n && s.s[0] == '-';
	uint64_t magnitude;
	int64_t v;
	int r;

	if (negative) {
		s.s++;
		s.n--;
	}
	r = digits(s, &magnitude);
	if (r < 0)
		return r;
	if (magnitude > (uint64_t)INT64_MAX + negative)
		return -ERANGE;
	v = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
	if (v < min || v > max)
		return -ERANGE;
	*ret = v;
	return 0;
}

int parse_u32(struct slice s, uint32_t min, uint32_t max, uint32_t *ret)
{
	uint64_t v;
	int r = parse_u64(s, min, max, &v);

	if (r < 0)
		return r;
	*ret = (uint32_t)v;
	return 0;
}

int parse_i32(struct slice s, int32_t min, int32_t max, int32_t *ret)
{
	int64_t v;
	int r = parse_i64(s, min, max, &v);

	if (r < 0)
		return r;
	*ret = (int32_t)v;
	return 0;
}
