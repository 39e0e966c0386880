// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests on stdin: 0 for gzip or 1 for a bare stream, a length and that many bytes. Answers on
 * stdout: the return value, a length, the content. Numbers are 32-bit in host order: both ends are
 * on one machine.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/cleanup.h"
#include "util/gunzip.h"
#include "util/inflate.h"

#define REQUEST_MAX (64u << 20)
#define OUTPUT_CAP  (8u << 20)

int main(void)
{
	uint32_t request[2];

	while (fread(request, sizeof(request), 1, stdin) == 1 && request[1] <= REQUEST_MAX) {
		size_t n = request[1], used;
		_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
		_cleanup_free_ char *gz = malloc(n ? n : 1);
		int32_t answer[2];

		if (!gz || (n && fread(gz, n, 1, stdin) != 1))
			return EXIT_FAILURE;
		answer[0] = request[0]
				    ? inflate_raw((struct slice){ gz, n }, OUTPUT_CAP, &out, &used)
				    : gunzip((struct slice){ gz, n }, OUTPUT_CAP, &out);
		answer[1] = (int32_t)out.len;
		if (fwrite(answer, sizeof(answer), 1, stdout) != 1 ||
		    (out.len && fwrite(out.s, out.len, 1, stdout) != 1) || fflush(stdout) != 0)
			return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
