/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state of sched_ext as /sys/kernel/sched_ext shows it. */
#ifndef SYS_SCHEDEXT_H
#define SYS_SCHEDEXT_H

#include <stdint.h>

#include "util/absence.h"
#include "util/root.h"

struct schedext {
	enum absence absence; /* UNSUPPORTED when the kernel has no sched_ext */
	char state[32];       /* "enabled", "disabled", ...; "" when unreadable */
#define SCHEDEXT(name) uint64_t name;
#include "sys/schedext.def"
#undef SCHEDEXT
	/* Why a member above is zero or "", when it could not be read. */
	struct {
		enum absence state;
#define SCHEDEXT(name) enum absence name;
#include "sys/schedext.def"
#undef SCHEDEXT
	} absent;
};

/* All members are written. */
void schedext_read(const struct root *root, struct schedext *ret);

#endif
