// expect: incompatible (types|pointer)|incompatible type
// SPDX-License-Identifier: GPL-2.0-only
#include "util/slice.h"
#include "util/vec.h"

void fill(void);

void fill(void)
{
	VEC(struct slice) names = {};

#ifdef WRONG
	vec_push(&names, "a string is not a slice");
#else
	vec_push(&names, slice_of("a"));
#endif
	vec_done(&names);
}
