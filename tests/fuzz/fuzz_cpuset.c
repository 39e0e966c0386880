// SPDX-License-Identifier: GPL-2.0-only
/* Whatever parses must format to a list that parses to the same set. */
#include <stdint.h>
#include <stdlib.h>

#include "util/cleanup.h"
#include "util/cpuset.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(cpuset_done) struct cpuset set = CPUSET_INIT, again = CPUSET_INIT;
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

	if (cpuset_parse((struct slice){ (const char *)data, size }, &set) < 0)
		return 0;
	cpuset_format(&set, &text);
	if (cpuset_parse(strbuf_slice(&text), &again) < 0 || !cpuset_equal(&set, &again))
		abort();
	return 0;
}
