// expect: PAIR_DEAD_MAX
// SPDX-License-Identifier: GPL-2.0-only
/* A counter the kernel never writes has no rule. */
#include "ctprof/registry.h"

#define PAIR_OF(kind, rule) PAIR_##kind##_##rule

extern const enum metric_pair pair;

#ifdef WRONG
const enum metric_pair pair = PAIR_OF(DEAD, MAX);
#else
const enum metric_pair pair = PAIR_OF(PEAK_NS, MAX);
#endif
