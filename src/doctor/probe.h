/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of probes.def: each judges what the environment shows. */
#ifndef DOCTOR_PROBE_H
#define DOCTOR_PROBE_H

#include "doctor/env.h"
#include "doctor/finding.h"

#define PROBE(id, area, function, arg, title, gives)                                               \
	void probe_##function(const struct doctor_env *env, const char *argument,                  \
			      struct finding *finding);
#include "doctor/probes.def"
#undef PROBE

/* Concludes that @what is missing from the kernel, by what its configuration says about @option
 * (without CONFIG_). */
void probe_missing(const struct doctor_env *env, const char *what, const char *option,
		   struct finding *finding);

/* Concludes that @path could not be read: @r is 0 or -errno. */
void probe_unreadable(const char *path, int r, struct finding *finding);

/* For probes that need a trial. */
void probe_not_tried(struct finding *finding);

#endif
