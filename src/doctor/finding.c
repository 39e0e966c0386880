// SPDX-License-Identifier: GPL-2.0-only
#include "doctor/finding.h"

#include <stdarg.h>

static const char *const state_names[DOCTOR_STATE_COUNT] = {
	[DOCTOR_USABLE] = "usable",
	[DOCTOR_LIMITED] = "limited",
	[DOCTOR_UNUSABLE] = "unusable",
	[DOCTOR_UNKNOWN] = "unknown",
};

void finding_done(struct finding *finding)
{
	strbuf_done(&finding->why);
	strv_done(&finding->fix);
}

const char *doctor_state_name(enum doctor_state state)
{
	return state_names[state];
}

static void _printf_(3, 0)
	conclude(struct finding *finding, enum doctor_state state, const char *fmt, va_list ap)
{
	finding->state = state;
	strbuf_reset(&finding->why);
	strbuf_vaddf(&finding->why, fmt, ap);
}

void finding_usable(struct finding *finding, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	conclude(finding, DOCTOR_USABLE, fmt, ap);
	va_end(ap);
}

void finding_limited(struct finding *finding, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	conclude(finding, DOCTOR_LIMITED, fmt, ap);
	va_end(ap);
}

void finding_unusable(struct finding *finding, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	conclude(finding, DOCTOR_UNUSABLE, fmt, ap);
	va_end(ap);
}

void finding_unknown(struct finding *finding, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	conclude(finding, DOCTOR_UNKNOWN, fmt, ap);
	va_end(ap);
}
