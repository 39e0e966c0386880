// SPDX-License-Identifier: GPL-2.0-only
/* What is not pressure leaves no numbers behind. */
#include <stdint.h>
#include <stdlib.h>

#include "sys/psi.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_zero(const struct psi_half *half)
{
	return !half->avg10 && !half->avg60 && !half->avg300 && !half->total_usec;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct psi_pressure pressure;

	psi_parse((struct slice){ (const char *)data, size }, &pressure);
	if (pressure.absence == ABSENCE_NONE)
		return 0;
	if (pressure.absence != ABSENCE_ERROR || !is_zero(&pressure.some) ||
	    !is_zero(&pressure.full))
		abort();
	return 0;
}
