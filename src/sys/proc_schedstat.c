// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/proc_schedstat.h"

#include <errno.h>

#include "util/compiler.h"
#include "util/parse.h"

int proc_schedstat_parse(struct slice text, struct proc_schedstat *ret)
{
	uint64_t *const members[] = { &ret->run_time_ns, &ret->wait_time_ns, &ret->timeslices };
	const char *line_end = text.n ? memchr(text.s, '\n', text.n) : NULL;
	struct slice word;
	unsigned taken = 0;

	*ret = (struct proc_schedstat){};
	if (line_end)
		text.n = (size_t)(line_end - text.s) + 1;
	/* A word that runs into the end of the text may have been cut. */
	for (size_t i = 0; i < ARRAY_SIZE(members) && slice_word(&text, &word) && text.n; i++)
		taken += parse_u64(word, 0, UINT64_MAX, members[i]) == 0;
	return taken == ARRAY_SIZE(members) ? 0 : -EBADMSG;
}
