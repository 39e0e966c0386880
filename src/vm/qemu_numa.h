/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of QEMU's argument vector that is about memory and nodes. */
#ifndef VM_QEMU_NUMA_H
#define VM_QEMU_NUMA_H

#include "vm/qemu_args.h"

/* Some node says how fast its memory is, or has no CPUs: the guest is told by ACPI's HMAT. */
bool qemu_wants_hmat(const struct machine *m);

/* Appends one backend per node, and the nodes unless the machine is one plain node. */
void qemu_numa_args(const struct vm_config *config, const struct qemu_fds *fds, struct strv *ret);

#endif
