// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/proc_status.h"

#include "sys/proc_stat.h"
#include "util/parse.h"

/* No line comes twice, not even in a hostile name: the kernel escapes the line ends in it. */
static void take_number(struct slice value, uint64_t *ret, bool *ret_has)
{
	if (!*ret_has)
		*ret_has = parse_u64(value, 0, UINT64_MAX, ret) == 0;
}

static void take_state(struct slice value, char *ret)
{
	if (!*ret && value.n && proc_is_state(value.s[0]))
		*ret = value.s[0];
}

static void take(struct slice key, struct slice value, struct proc_status *ret)
{
	if (slice_is(key, "State"))
		take_state(value, &ret->state);
	else if (slice_is(key, "Threads"))
		take_number(value, &ret->threads, &ret->has_threads);
	else if (slice_is(key, "Cpus_allowed_list") && !ret->cpus_allowed_list.n)
		ret->cpus_allowed_list = value;
	else if (slice_is(key, "voluntary_ctxt_switches"))
		take_number(value, &ret->voluntary_switches, &ret->has_voluntary);
	else if (slice_is(key, "nonvoluntary_ctxt_switches"))
		take_number(value, &ret->nonvoluntary_switches, &ret->has_nonvoluntary);
}

void proc_status_parse(struct slice text, struct proc_status *ret)
{
	struct slice line, key, value;

	*ret = (struct proc_status){ .cpus_allowed_list = { text.s, 0 } };
	while (slice_line(&text, &line))
		if (slice_split(line, ':', &key, &value))
			take(key, value, ret);
}
