// expect: incompatible (types|pointer)|incompatible type
// SPDX-License-Identifier: GPL-2.0-only
#include "cli/option.h"

#ifdef WRONG
static const char *target;
#else
static struct strv target;
#endif

extern const struct option row;

const struct option row = OPT_LIST('x', "x", &target, "X", "");
