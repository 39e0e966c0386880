// SPDX-License-Identifier: GPL-2.0-only
/* The list of CPUs lies inside the text, trimmed, and the front of a file tells nothing the whole
 * does not. */
#include <stdint.h>
#include <stdlib.h>

#include "sys/proc_stat.h"
#include "sys/proc_status.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct proc_status *s, struct slice text)
{
	struct slice list = s->cpus_allowed_list;

	if (list.n && (list.s < text.s || list.s + list.n >= text.s + text.n))
		abort();
	if (list.n != slice_trim(list).n)
		abort();
	if (s->state && !proc_is_state(s->state))
		abort();
	if ((s->threads && !s->has_threads) || (s->voluntary_switches && !s->has_voluntary) ||
	    (s->nonvoluntary_switches && !s->has_nonvoluntary))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice text = { (const char *)data, size }, half = { text.s, size / 2 };
	struct proc_status whole, front;

	proc_status_parse(text, &whole);
	check(&whole, text);
	proc_status_parse(half, &front);
	check(&front, half);
	if ((front.state && front.state != whole.state) ||
	    (front.has_threads && front.threads != whole.threads) ||
	    (front.has_voluntary && front.voluntary_switches != whole.voluntary_switches) ||
	    (front.cpus_allowed_list.n &&
	     !slice_eq(front.cpus_allowed_list, whole.cpus_allowed_list)))
		abort();
	return 0;
}
