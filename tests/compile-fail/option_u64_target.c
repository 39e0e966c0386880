// expect: incompatible (types|pointer)|incompatible type
// SPDX-License-Identifier: GPL-2.0-only
#include "cli/option.h"

#ifdef WRONG
static unsigned target;
#else
static uint64_t target;
#endif

extern const struct option row;

const struct option row = OPT_U64('x', "x", &target, "X", 0, 9, 0, "");
