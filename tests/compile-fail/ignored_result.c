// expect: unused-result
// SPDX-License-Identifier: GPL-2.0-only
#include "util/cpuset.h"

void parse(struct cpuset *set);

void parse(struct cpuset *set)
{
#ifdef WRONG
	cpuset_parse(slice_of("0-3"), set);
#else
	if (cpuset_parse(slice_of("0-3"), set) < 0)
		*set = (struct cpuset)CPUSET_INIT;
#endif
}
