// SPDX-License-Identifier: GPL-2.0-only
#include "random.h"

#include "util/compiler.h"

static uint64_t random_state = 1;

void random_restart(void)
{
	random_state = 1;
}

uint64_t random_below(uint64_t n)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (random_state >> 20) % n;
}

uint64_t random_counter(size_t column)
{
	static const unsigned digits[] = { 0, 0, 3, 0, 6, 12, 0, 1, 9, 0, 15, 4 };
	uint64_t limit = 1;

	if (!random_below(8))
		return 0;
	for (unsigned n = digits[column % ARRAY_SIZE(digits)]; n; n--)
		limit *= 10;
	return random_below(limit);
}
