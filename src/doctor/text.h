/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef DOCTOR_TEXT_H
#define DOCTOR_TEXT_H

#include <stdio.h>

#include "doctor/doctor.h"
#include "render/render.h"

/* The report for people: a heading per area, a line per probe, the reason wrapped (below the name
 * where the width leaves it too little room beside), and the commands that fix what is not usable,
 * each on a line of its own and never wrapped. Commands that stood before are not repeated. 0 or
 * -errno of the stream. */
_must_check_ int doctor_text(const struct doctor_report *report,
			     const struct table_options *options, FILE *out);

#endif
