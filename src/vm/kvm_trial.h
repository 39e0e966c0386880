/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether KVM runs code on the hardware. The guest is one file per architecture:
 * kvm_trial_x86.c, kvm_trial_other.c. */
#ifndef VM_KVM_TRIAL_H
#define VM_KVM_TRIAL_H

#include <stdint.h>

#include "util/child.h"
#include "util/compiler.h"

#define KVM_LOOP_ITERATIONS 20000

/* How long a loop of that many iterations may take before the guest's instructions must be
 * emulated: hardware needs some tens of microseconds. */
#define KVM_LOOP_EMULATED_NS 2000000u

/* Runs the loop in a guest without devices, three times, and tells the shortest time. 0; -ENOSYS
 * when this architecture has no such trial; -EIO when the guest did not end as it should; -errno.
 * May hang in the kernel: to be called in a child. */
_must_check_ int kvm_loop(uint64_t *ret_ns);

/* The same in a child, in bounded time: what goes wrong inside KVM must not take us with it. The
 * first returns 0, then the second must follow; -ETIMEDOUT and -ECHILD come on top of the above. */
_must_check_ int kvm_trial_start(struct child *child);
_must_check_ int kvm_trial_finish(struct child *child, uint64_t *ret_ns);

#endif
