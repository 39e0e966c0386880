// SPDX-License-Identifier: GPL-2.0-only
/* The name lies inside the text, between parentheses, and every policy has a name that fits. */
#include <stdint.h>
#include <stdlib.h>

#include "sys/proc_stat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice text = { (const char *)data, size };
	char buf[PROC_POLICY_ROOM];
	struct proc_stat s;
	int r = proc_stat_parse(text, &s);

	if (s.comm.n && (s.comm.s <= text.s || s.comm.s + s.comm.n >= text.s + text.n))
		abort();
	if (s.state && !proc_is_state(s.state))
		abort();
	if (r == 0 && (!s.state || s.comm.s[-1] != '(' || s.comm.s[s.comm.n] != ')'))
		abort();
	if (strlen(proc_policy_name(s.policy, buf)) >= PROC_POLICY_ROOM)
		abort();
	return 0;
}
