/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pressure stall information, of the host (/proc/pressure) or of one cgroup (cpu.pressure, ...).
 * The kernel gives irq no `some` line, and for the host's cpu a `full` line that is always zero.
 */
#ifndef SYS_PSI_H
#define SYS_PSI_H

#include <stdint.h>

#include "sys/kconfig.h"
#include "util/absence.h"
#include "util/root.h"
#include "util/slice.h"

enum psi_resource {
#define PSI(id, name) PSI_##id,
#include "sys/psi.def"
#undef PSI
	PSI_COUNT
};

struct psi_half {
	uint16_t avg10; /* hundredths of a percent, as the other two */
	uint16_t avg60;
	uint16_t avg300;
	uint64_t total_usec;
};

struct psi_pressure {
	struct psi_half some;
	struct psi_half full;
	enum absence absence; /* why both halves are zero, when they were not read */
};

struct psi {
	struct psi_pressure resource[PSI_COUNT];
};

/* "cpu", "memory", ... */
const char *psi_resource_name(enum psi_resource resource);

/* Unknown lines and keys are passed over; what is missing or malformed is zero, and the reading is
 * ABSENCE_ERROR: so is one without any line, and one whose last line has no end. */
void psi_parse(struct slice text, struct psi_pressure *ret);

/* @config is the kernel's: with it, "switched off at boot" is told from "not built in". */
void psi_read_host(const struct root *root, const struct kconfig *config, struct psi *ret);

/* @dir is the folder of the cgroup below the root, "sys/fs/cgroup/a". */
void psi_read_cgroup(const struct root *root, const struct kconfig *config, const char *dir,
		     struct psi *ret);

#endif
