/* SPDX-License-Identifier: GPL-2.0-only */
/* What a kernel that is to be booted lacks. */
#ifndef DOCTOR_KERNEL_OPTIONS_H
#define DOCTOR_KERNEL_OPTIONS_H

#include "kernel/kernel.h"
#include "render/cell.h"

#define DOCTOR_KERNEL_VIEWS 2

/* The kernel, and a row per option that is not as our tests need it. @views are initialised here
 * and borrow from @k. */
void doctor_kernel_views(const struct kernel *k, const struct kconfig *config,
			 struct view views[DOCTOR_KERNEL_VIEWS]);

#endif
