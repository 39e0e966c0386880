// expect: incompatible (types|pointer)|incompatible type
// SPDX-License-Identifier: GPL-2.0-only
#include "cli/option.h"

#ifdef WRONG
static int target;
#else
static bool target;
#endif

extern const struct option row;

const struct option row = OPT_FLAG('x', "x", &target, "");
