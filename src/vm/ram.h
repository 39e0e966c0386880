/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory of a guest: one memfd per node, which QEMU maps and which we can read. */
#ifndef VM_RAM_H
#define VM_RAM_H

#include "vm/vm.h"

struct ram {
	struct {
		int fd; /* -1: the node has no memory */
		uint64_t bytes;
		void *map; /* NULL: not yet */
	} node[MACHINE_NODES_MAX];
};

/* 0 or -errno; ram_done() in any case. */
_must_check_ int ram_create(struct ram *ram, const struct vm_config *config, struct err *err);
void ram_done(struct ram *ram);

_must_check_ int ram_map(struct ram *ram, unsigned node, const void **ret, uint64_t *ret_bytes);

#endif
