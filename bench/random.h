/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers that look measured and are the same in every run. */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* The same numbers again from here on. */
void random_restart(void);

uint64_t random_below(uint64_t n);

/* As on a real machine each column has a width of its own, and many are zero throughout. */
uint64_t random_counter(size_t column);

#endif
