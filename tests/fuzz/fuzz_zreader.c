// SPDX-License-Identifier: GPL-2.0-only
/* Any bytes as a compressed stream: what comes out stays within its limits and does not depend on
 * how much is asked for at a time. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/strbuf.h"
#include "zfile/zfile.h"

#define CAP 200000u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run(int fd, size_t piece, struct strbuf *out)
{
	const struct zlimits limits = { .out_bytes = CAP, .ratio = 100, .ratio_from = 1000 };
	struct err err = {};
	struct zreader *z = zreader_new(fd, &limits, &err);
	static char buf[65536];
	ssize_t n;

	if (lseek(fd, 0, SEEK_SET) != 0)
		abort();
	while ((n = zreader_read(z, buf, piece)) > 0)
		strbuf_add(out, buf, (size_t)n);
	zreader_free(z);
	if (out->len > CAP || (n < 0) != (err.text[0] != '\0'))
		abort();
	return (int)n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(strbuf_done) struct strbuf all = STRBUF_INIT, pieces = STRBUF_INIT;
	_cleanup_close_ int fd = memfd_create("fuzz", MFD_CLOEXEC);
	int whole, cut;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	whole = run(fd, 65536, &all);
	cut = run(fd, 7, &pieces);
	/* When a limit is looked at depends on the pieces. */
	if (whole == -E2BIG || cut == -E2BIG)
		return 0;
	if (whole != cut)
		abort();
	if (whole == 0 && !slice_eq(strbuf_slice(&all), strbuf_slice(&pieces)))
		abort();
	return 0;
}
