/* SPDX-License-Identifier: GPL-2.0-only */
/* From the machine to QEMU's argument vector: pure. Machines are those that pass machine_check().
 */
#ifndef VM_QEMU_ARGS_H
#define VM_QEMU_ARGS_H

#include "vm/vm.h"

/* Descriptors that the child inherits. */
struct qemu_fds {
	int qmp, channel, console;  /* sockets */
	int ram[MACHINE_NODES_MAX]; /* memfds, by node; not looked at where it has no memory */
	int kernel;                 /* opened read-only */
	int initrd;                 /* base and suffix joined; -1: none */
};

/* The name of the virtio port with the frames, as the guest's sysfs shows it. */
#define QEMU_PORT_NAME "ktstr"

/* Appends the vector, argv[0] first. @accel is KVM or TCG. @append is the whole kernel command
 * line.
 */
void qemu_args(const struct vm_config *config, enum vm_accel accel, const struct qemu_fds *fds,
	       const char *append, struct strv *ret);

/* Appends the kernel's command line: what every guest gets, then what the caller adds, so that the
 * caller has the last word. */
void qemu_append(const struct vm_config *config, enum vm_accel accel, struct strbuf *ret);

/* MiB of each node: what it was told, else an equal share of what is left. They add up to
 * config->memory_mb: what all were told beyond it goes to no one, what is left over when all were
 * told goes to the first. */
void qemu_node_memory(const struct vm_config *config, uint64_t ret_mb[MACHINE_NODES_MAX]);

/* Why @accel cannot run this machine; "" when it can (decision 20). */
const char *qemu_refuses(const struct machine *m, enum vm_accel accel);

#endif
