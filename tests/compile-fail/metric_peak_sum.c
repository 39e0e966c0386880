// expect: PAIR_PEAK_NS_SUM
// SPDX-License-Identifier: GPL-2.0-only
/* The sum of peaks means nothing. */
#include "ctprof/registry.h"

#define PAIR_OF(kind, rule) PAIR_##kind##_##rule

extern const enum metric_pair pair;

#ifdef WRONG
const enum metric_pair pair = PAIR_OF(PEAK_NS, SUM);
#else
const enum metric_pair pair = PAIR_OF(PEAK_NS, MAX);
#endif
