/* SPDX-License-Identifier: GPL-2.0-only */
/* What one probe found out, and the commands that would change it. */
#ifndef DOCTOR_FINDING_H
#define DOCTOR_FINDING_H

#include "util/compiler.h"
#include "util/strbuf.h"
#include "util/strv.h"

enum doctor_state {
	DOCTOR_USABLE,
	DOCTOR_LIMITED,
	DOCTOR_UNUSABLE,
	DOCTOR_UNKNOWN, /* could not be examined */
	DOCTOR_STATE_COUNT
};

struct finding {
	enum doctor_state state;
	struct strbuf why;
	struct strv fix; /* commands; empty when nothing that can be typed here helps */
};

#define FINDING_INIT                                                                               \
	{                                                                                          \
		.why = STRBUF_INIT                                                                 \
	}

void finding_done(struct finding *finding);

/* "usable", "limited", "unusable", "unknown" */
const char *doctor_state_name(enum doctor_state state);

/* Each probe ends with one of these. */
void finding_usable(struct finding *finding, const char *fmt, ...) _printf_(2, 3);
void finding_limited(struct finding *finding, const char *fmt, ...) _printf_(2, 3);
void finding_unusable(struct finding *finding, const char *fmt, ...) _printf_(2, 3);
void finding_unknown(struct finding *finding, const char *fmt, ...) _printf_(2, 3);

#endif
