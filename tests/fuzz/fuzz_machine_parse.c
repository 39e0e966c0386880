// SPDX-License-Identifier: GPL-2.0-only
/* What parses is a good machine and formats to a text that parses to the same one. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "record/machine.h"
#include "util/alloc.h"
#include "util/cleanup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(strbuf_done) struct strbuf again_text = STRBUF_INIT;
	_cleanup_free_ char *text = xstrndup((const char *)data, size);
	struct machine m, again;
	struct err err = {};

	if (machine_parse(text, &m, &err) < 0) {
		if (!err.text[0])
			abort();
		return 0;
	}
	if (machine_check(&m, &err) < 0 || machine_cpus(&m) > MACHINE_CPUS_MAX)
		abort();
	if (machine_max_apic_id(&m) + 1 < machine_cpus(&m))
		abort();
	machine_format(&m, &again_text);
	if (machine_parse(again_text.s, &again, &err) < 0 || memcmp(&m, &again, sizeof(m)) != 0)
		abort();
	return 0;
}
