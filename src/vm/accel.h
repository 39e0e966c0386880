/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which accelerator a VM gets. `auto` is KVM where it really boots: a quick trial rules out what
 * cannot work, the boot itself decides, and the answer is kept for this boot of the host, this QEMU
 * and this kernel.
 */
#ifndef VM_ACCEL_H
#define VM_ACCEL_H

#include "vm/vm.h"

struct accel_choice {
	enum vm_accel accel; /* KVM or TCG */
	bool may_fall_back;  /* to TCG, when init does not come up */
	bool is_new;         /* the outcome is worth keeping */
	unsigned boot_ms;    /* how long KVM is given; 0: as configured */
	char why[256];       /* why not KVM */
};

/* @qemu is the path of the program. 0; -EOPNOTSUPP when the machine cannot run at all on what was
 * asked for. */
_must_check_ int accel_choose(const struct vm_config *config, const char *qemu,
			      struct accel_choice *ret, struct err *err);

/* A guest of this kernel came up with @accel, which is TCG because of @why. What cannot be kept is
 * found out again the next time. */
void accel_keep(const struct vm_config *config, const char *qemu, enum vm_accel accel,
		const char *why);

#endif
