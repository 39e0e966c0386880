// SPDX-License-Identifier: GPL-2.0-only
#include "vm/deadline.h"

#include <limits.h>

void deadline_init(struct deadline *d, unsigned ms, enum vm_accel accel)
{
	*d = (struct deadline){ .ms = ms,
				.factor = accel == VM_ACCEL_TCG ? DEADLINE_TCG_FACTOR : 1,
				.at_ns = UINT64_MAX };
}

void deadline_arm(struct deadline *d, uint64_t now_ns)
{
	d->at_ns = d->ms ? now_ns + (uint64_t)d->ms * d->factor * 1000000u : UINT64_MAX;
}

void deadline_disarm(struct deadline *d)
{
	d->at_ns = UINT64_MAX;
}

bool deadline_passed(const struct deadline *d, uint64_t now_ns)
{
	return now_ns >= d->at_ns;
}

static void add_seconds(struct strbuf *out, uint64_t ms)
{
	if (ms % 1000)
		strbuf_addf(out, "%.1f s", (double)ms / 1000);
	else
		strbuf_addf(out, "%u s", (unsigned)(ms / 1000));
}

void deadline_text(const struct deadline *d, struct strbuf *out)
{
	add_seconds(out, (uint64_t)d->ms * d->factor);
	if (d->factor == 1)
		return;
	strbuf_addf(out, " (%u x ", d->factor);
	add_seconds(out, d->ms);
	strbuf_addstr(out, " under tcg)");
}

int deadline_poll_ms(uint64_t at_ns, uint64_t now_ns)
{
	uint64_t ms;

	if (at_ns == UINT64_MAX)
		return -1;
	if (at_ns <= now_ns)
		return 0;
	ms = (at_ns - now_ns + 999999) / 1000000;
	return ms > INT_MAX ? INT_MAX : (int)ms;
}
