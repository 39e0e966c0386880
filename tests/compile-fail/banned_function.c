// expect: banned: use parse_u64
// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "util/parse.h"

int number(const char *text);

int number(const char *text)
{
#ifdef WRONG
	return atoi(text);
#else
	int32_t v;

	return parse_i32(slice_of(text), INT32_MIN, INT32_MAX, &v) < 0 ? 0 : v;
#endif
}
