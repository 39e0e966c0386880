// SPDX-License-Identifier: GPL-2.0-only
/* A reading is whole lines; what stands before a cut tells no more than that. */
#include <stdint.h>
#include <stdlib.h>

#include "sys/psi.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice text = { (const char *)data, size };
	struct psi_pressure pressure;

	psi_parse(text, &pressure);
	if (pressure.absence != ABSENCE_NONE && pressure.absence != ABSENCE_ERROR)
		abort();
	if (pressure.absence == ABSENCE_NONE && (!size || text.s[size - 1] != '\n'))
		abort();
	return 0;
}
