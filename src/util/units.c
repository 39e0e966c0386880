// SPDX-License-Identifier: LGPL-2.1-or-later
#include "util/units.h"

#include <math.h>
#include <stdbool.h>

#include "util/compiler.h"

struct step {
	double threshold;
	const char *unit;
};

#define MAX_STEPS 4

static const struct {
	const char *base;
	struct step steps[MAX_STEPS + 1]; /* ends at threshold 0 */
} ladders[] = {
#define STEP(threshold, unit) { threshold, unit },
#define LADDER(id, unit, ...) [LADDER_##id] = { .base = unit, .steps = { __VA_ARGS__ } },
#include "util/units.def"
#undef LADDER
#undef STEP
};

static const struct step *step_for(enum ladder ladder, double v)
{
	const struct step *found = NULL;

	for (const struct step *s = ladders[ladder].steps; s->threshold > 0; s++)
		if (fabs(v) >= s->threshold)
			found = s;
	return found;
}

const char *units_base(enum ladder ladder)
{
	return ladders[ladder].base;
}

void units_u64(struct strbuf *out, enum ladder ladder, uint64_t v)
{
	const struct step *s = step_for(ladder, (double)v);

	if (s)
		strbuf_addf(out, "%.3f%s", (double)v / s->threshold, s->unit);
	else
		strbuf_addf(out, "%llu%s", (unsigned long long)v, units_base(ladder));
}

/* printf has no 128-bit conversion; below every ladder's first step this is the only case. */
static void add_signed(struct strbuf *out, __int128 v)
{
	unsigned __int128 magnitude = v < 0 ? -(unsigned __int128)v : (unsigned __int128)v;
	char digits[40];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + (int)(magnitude % 10));
		magnitude /= 10;
	} while (magnitude);
	strbuf_addch(out, v < 0 ? '-' : '+');
	strbuf_add(out, digits + at, sizeof(digits) - at);
}

void units_delta(struct strbuf *out, enum ladder ladder, __int128 v)
{
	const struct step *s = step_for(ladder, (double)v);

	if (s) {
		strbuf_addf(out, "%+.3f%s", (double)v / s->threshold, s->unit);
		return;
	}
	add_signed(out, v);
	strbuf_addstr(out, units_base(ladder));
}

void units_delta_real(struct strbuf *out, enum ladder ladder, double v)
{
	const struct step *s = step_for(ladder, v);

	if (!s && v == rint(v) && fabs(v) < 0x1p63)
		units_delta(out, ladder, (__int128)v);
	else
		strbuf_addf(out, "%+.3f%s", s ? v / s->threshold : v,
			    s ? s->unit : units_base(ladder));
}

static void add_derived(struct strbuf *out, enum ladder ladder, double v, bool sign)
{
	const struct step *s = step_for(ladder, v);
	const char *fmt_unit = s ? s->unit : units_base(ladder);
	double scaled = s ? v / s->threshold : v;
	int decimals = s ? 3 : 2;

	if (sign)
		strbuf_addf(out, "%+.*f%s", decimals, scaled, fmt_unit);
	else
		strbuf_addf(out, "%.*f%s", decimals, scaled, fmt_unit);
}

void units_derived(struct strbuf *out, enum ladder ladder, double v)
{
	add_derived(out, ladder, v, false);
}

void units_derived_delta(struct strbuf *out, enum ladder ladder, double v)
{
	add_derived(out, ladder, v, true);
}

void units_ratio(struct strbuf *out, double v)
{
	strbuf_addf(out, "%.3f", v);
}

void units_ratio_delta(struct strbuf *out, double v)
{
	strbuf_addf(out, "%+.3f", v);
}

void units_percent(struct strbuf *out, double fraction)
{
	strbuf_addf(out, "%+.1f%%", fraction * 100);
}
