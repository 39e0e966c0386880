// expect: PAIR_TEXT_SUM
// SPDX-License-Identifier: GPL-2.0-only
/* A policy has no sum. */
#include "ctprof/registry.h"

#define PAIR_OF(kind, rule) PAIR_##kind##_##rule

extern const enum metric_pair pair;

#ifdef WRONG
const enum metric_pair pair = PAIR_OF(TEXT, SUM);
#else
const enum metric_pair pair = PAIR_OF(TEXT, MODE);
#endif
