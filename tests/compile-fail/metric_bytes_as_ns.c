// expect: PAIR_BYTES_SUM_NS
// SPDX-License-Identifier: GPL-2.0-only
/* Bytes do not fold as nanoseconds. */
#include "ctprof/registry.h"

#define PAIR_OF(kind, rule) PAIR_##kind##_##rule

extern const enum metric_pair pair;

#ifdef WRONG
const enum metric_pair pair = PAIR_OF(BYTES, SUM_NS);
#else
const enum metric_pair pair = PAIR_OF(BYTES, SUM);
#endif
