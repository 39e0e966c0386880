// SPDX-License-Identifier: GPL-2.0-only
/* Output stays within its cap, whatever comes in. The first byte chooses gzip or the bare stream,
 * whose missing checksum lets more inputs get far. */
#include <stdint.h>
#include <stdlib.h>

#include "util/cleanup.h"
#include "util/gunzip.h"
#include "util/inflate.h"

#define CAP 65536u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
	struct slice in;
	size_t used = 0;
	int r;

	if (!size)
		return 0;
	in = (struct slice){ (const char *)data + 1, size - 1 };
	r = data[0] & 1 ? inflate_raw(in, CAP, &out, &used) : gunzip(in, CAP, &out);
	if (out.len > CAP || used > in.n || (r < 0 && !(data[0] & 1) && out.len))
		abort();
	return 0;
}
