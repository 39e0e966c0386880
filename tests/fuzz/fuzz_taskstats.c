// SPDX-License-Identifier: GPL-2.0-only
/* Any bytes as what a netlink socket gave, and as a struct taskstats. */
#include <linux/taskstats.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sys/taskstats.h"
#include "sys/taskstats_message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool within(struct slice part, struct slice whole)
{
	return part.s >= whole.s && part.n <= whole.n &&
	       (size_t)(part.s - whole.s) <= whole.n - part.n;
}

static void decode(struct slice stats)
{
	struct taskstats_values v;

	if (taskstats_decode(stats, &v) < 0) {
		if (stats.n >= sizeof(v.version))
			abort();
		return;
	}
	for (size_t i = 0; i < DELAY_COUNT; i++) {
		const struct delay *d = &v.delay[i];

		if (!d->known && (d->count || d->total_ns || d->extrema_known))
			abort();
		if (!d->extrema_known && d->min_ns)
			abort();
	}
	if (!v.hiwater_known && (v.hiwater_rss_kb || v.hiwater_vm_kb))
		abort();
}

/* Asks for the thread the message is about, so that every message can be the right one. */
static void take(const struct taskstats_message *m, struct slice whole)
{
	struct slice thread, whose, stats;
	uint32_t tid;

	if (m->code != 0 || taskstats_attr(m->attrs, TASKSTATS_TYPE_AGGR_PID, &thread) < 0 ||
	    taskstats_attr(thread, TASKSTATS_TYPE_PID, &whose) < 0 || whose.n < sizeof(tid))
		return;
	memcpy(&tid, whose.s, sizeof(tid));
	if (taskstats_message_stats(m, m->type, (pid_t)tid, &stats) < 0)
		return;
	if (!within(stats, whole) ||
	    taskstats_message_stats(m, m->type, (pid_t)(tid + 1), &stats) == 0)
		abort();
	decode(stats);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct slice whole = { (const char *)data, size };
	struct slice rest = whole;
	struct taskstats_message m;

	while (rest.n > 0) {
		size_t before = rest.n;

		if (!taskstats_message_next(&rest, &m))
			break;
		if (rest.n >= before || m.code > 0 || (m.attrs.n && !within(m.attrs, whole)))
			abort();
		take(&m, whole);
	}
	decode(whole);
	return 0;
}
