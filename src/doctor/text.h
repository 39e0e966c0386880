/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef DOCTOR_TEXT_H
#define DOCTOR_TEXT_H

#include <stdio.h>

#include "render/render.h"

/* The rows of doctor_view() for people: a heading per area, a line per probe, the reason wrapped,
 * and below what is not usable the commands that fix it, each on a line of its own and never
 * wrapped. A command that stood before is not repeated. 0 or -errno of the stream. */
_must_check_ int doctor_text(const struct view *view, const struct table_options *options,
			     FILE *out);

#endif
