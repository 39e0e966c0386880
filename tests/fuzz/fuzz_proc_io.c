// SPDX-License-Identifier: GPL-2.0-only
/* io and schedstat: the front of a file tells nothing the whole does not. */
#include <stdint.h>
#include <stdlib.h>

#include "sys/proc_io.h"
#include "sys/proc_schedstat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_io(struct slice text, struct slice half)
{
	struct proc_io whole, front;
	int r = proc_io_parse(text, &whole);

	if (proc_io_parse(half, &front) == 0 && r < 0)
		abort();
#define IO_KEY(name)                                                                               \
	if (front.name && front.name != whole.name)                                                \
		abort();
#include "sys/proc_io.def"
#undef IO_KEY
}

static void check_schedstat(struct slice text, struct slice half)
{
	struct proc_schedstat whole, front;
	int r = proc_schedstat_parse(text, &whole);

	if (proc_schedstat_parse(half, &front) == 0 && r < 0)
		abort();
	if ((front.run_time_ns && front.run_time_ns != whole.run_time_ns) ||
	    (front.wait_time_ns && front.wait_time_ns != whole.wait_time_ns) ||
	    (front.timeslices && front.timeslices != whole.timeslices))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice text = { (const char *)data, size }, half = { text.s, size / 2 };

	check_io(text, half);
	check_schedstat(text, half);
	return 0;
}
