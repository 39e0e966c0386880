/* SPDX-License-Identifier: GPL-2.0-only */
/* One file per architecture: kvm_trial_x86.c, kvm_trial_other.c. */
#ifndef DOCTOR_KVM_TRIAL_H
#define DOCTOR_KVM_TRIAL_H

#include <stdint.h>

#include "util/compiler.h"

#define KVM_LOOP_ITERATIONS 20000

/* How long a loop of that many iterations may take before the guest's instructions must be
 * emulated: hardware needs some tens of microseconds. */
#define KVM_LOOP_EMULATED_NS 2000000u

struct kvm_answer {
	int32_t result;
	uint64_t loop_ns;
};

/* Runs the loop in a guest without devices, three times, and tells the shortest time. 0; -ENOSYS
 * when this architecture has no such trial; -EIO when the guest did not end as it should; -errno.
 * May hang in the kernel: to be called in a child. */
_must_check_ int kvm_loop(uint64_t *ret_ns);

#endif
