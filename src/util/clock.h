/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Clocks as numbers. */
#ifndef UTIL_CLOCK_H
#define UTIL_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* CLOCK_MONOTONIC in milliseconds: for deadlines. */
static inline int64_t clock_ms(void)
{
	return (int64_t)(clock_ns(CLOCK_MONOTONIC) / 1000000u);
}

static inline struct timespec clock_after(clockid_t clock, unsigned ms)
{
	uint64_t ns = clock_ns(clock) + (uint64_t)ms * 1000000u;

	return (struct timespec){ .tv_sec = (time_t)(ns / 1000000000u),
				  .tv_nsec = (long)(ns % 1000000000u) };
}

#endif
