// SPDX-License-Identifier: GPL-2.0-only
#include "vm/ram.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vm/qemu_args.h"

/* Of fixed size, so that a QEMU that went wild cannot make our mapping fault. */
static int create(uint64_t bytes)
{
	int fd = memfd_create("guest-ram", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int saved;

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)bytes) == 0 &&
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
		return fd;
	saved = -errno;
	close(fd);
	return saved;
}

int ram_create(struct ram *ram, const struct vm_config *config, struct err *err)
{
	uint64_t mb[MACHINE_NODES_MAX];

	for (unsigned i = 0; i < MACHINE_NODES_MAX; i++)
		ram->node[i] = (typeof(ram->node[0])){ .fd = -1 };
	qemu_node_memory(config, mb);
	for (unsigned i = 0; i < config->machine->nodes; i++) {
		if (!mb[i])
			continue;
		ram->node[i].bytes = mb[i] << 20;
		ram->node[i].fd = create(ram->node[i].bytes);
		if (ram->node[i].fd < 0)
			return err_set(err, ram->node[i].fd,
				       "no %" PRIu64 " MiB of memory for node %u of the guest: %s",
				       mb[i], i, strerror(-ram->node[i].fd));
	}
	return 0;
}

void ram_done(struct ram *ram)
{
	for (unsigned i = 0; i < MACHINE_NODES_MAX; i++) {
		if (ram->node[i].map)
			munmap(ram->node[i].map, ram->node[i].bytes);
		if (ram->node[i].fd >= 0)
			close(ram->node[i].fd);
		ram->node[i] = (typeof(ram->node[0])){ .fd = -1 };
	}
}

int ram_map(struct ram *ram, unsigned node, const void **ret, uint64_t *ret_bytes)
{
	if (node >= MACHINE_NODES_MAX || ram->node[node].fd < 0) {
		*ret = NULL;
		*ret_bytes = 0;
		return 0;
	}
	if (!ram->node[node].map) {
		void *map = mmap(NULL, ram->node[node].bytes, PROT_READ, MAP_SHARED,
				 ram->node[node].fd, 0);

		if (map == MAP_FAILED)
			return -errno;
		ram->node[node].map = map;
	}
	*ret = ram->node[node].map;
	*ret_bytes = ram->node[node].bytes;
	return 0;
}
