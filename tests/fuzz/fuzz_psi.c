// SPDX-License-Identifier: GPL-2.0-only
#include <stdint.h>
#include <stdlib.h>

#include "sys/psi.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct psi_pressure pressure;

	psi_parse((struct slice){ (const char *)data, size }, &pressure);
	return pressure.absence == ABSENCE_NONE ? 0 : (abort(), 0);
}
