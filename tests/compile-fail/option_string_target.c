// expect: incompatible (types|pointer)|incompatible type
// SPDX-License-Identifier: GPL-2.0-only
#include "cli/option.h"

#ifdef WRONG
static uint64_t target;
#else
static const char *target;
#endif

extern const struct option row;

const struct option row = OPT_STRING('x', "x", &target, "X", NULL, "");
