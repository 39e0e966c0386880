/* SPDX-License-Identifier: GPL-2.0-only */
/* A time by which something must have happened, and how to tell people about it. */
#ifndef VM_DEADLINE_H
#define VM_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/strbuf.h"
#include "vm/vm.h"

/* Emulation is that much slower. */
#define DEADLINE_TCG_FACTOR 8u

struct deadline {
	unsigned ms;     /* as it was asked for; 0: no limit */
	unsigned factor; /* of the accelerator */
	uint64_t at_ns;  /* CLOCK_MONOTONIC; UINT64_MAX while nothing is waited for */
};

/* Not armed. */
void deadline_init(struct deadline *d, unsigned ms, enum vm_accel accel);

/* From @now_ns on. */
void deadline_arm(struct deadline *d, uint64_t now_ns);
void deadline_disarm(struct deadline *d);

bool deadline_passed(const struct deadline *d, uint64_t now_ns);

/* Appends "2 s", under TCG "16 s (8 x 2 s under tcg)". */
void deadline_text(const struct deadline *d, struct strbuf *out);

/* For poll(): milliseconds until @at_ns, rounded up; -1 for UINT64_MAX. */
int deadline_poll_ms(uint64_t at_ns, uint64_t now_ns);

#endif
