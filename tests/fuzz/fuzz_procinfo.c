// SPDX-License-Identifier: GPL-2.0-only
/* The first line is the key, the rest the file. What is found lies inside the file. */
#include <stdint.h>
#include <stdlib.h>

#include "sys/procinfo.h"
#include "util/alloc.h"
#include "util/cleanup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice text = { (const char *)data, size }, line, value;
	_cleanup_free_ char *key = NULL;
	uint64_t v;

	if (!slice_cut(&text, '\n', &line))
		return 0;
	key = xstrndup(line.s, line.n);
	if (meminfo_u64(text, key, &v) > 1 || cache_size_kb(text, &v) > 0)
		abort();
	if (cpuinfo_text(text, key, &value) > 0 &&
	    (value.n == 0 || value.s < text.s || value.s + value.n > text.s + text.n))
		abort();
	return 0;
}
