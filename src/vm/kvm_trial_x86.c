// SPDX-License-Identifier: GPL-2.0-only
#include "vm/kvm_trial.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/clock.h"

#define GUEST_SIZE  0x2000u
#define GUEST_ENTRY 0x1000u
#define TSS_ADDRESS 0xfffbd000u /* anywhere without memory; Intel wants it for real mode */

/* Real mode: mov cx, 20000; 1: dec cx; jnz 1b; hlt */
static const unsigned char guest_code[] = {
	0xb9, KVM_LOOP_ITERATIONS & 0xff, KVM_LOOP_ITERATIONS >> 8, 0x49, 0x75, 0xfd, 0xf4
};

static int open_vm(int kvm)
{
	struct kvm_userspace_memory_region region = { .memory_size = GUEST_SIZE };
	_cleanup_close_ int vm = ioctl(kvm, KVM_CREATE_VM, 0ul);
	char *memory;

	if (vm < 0 || ioctl(vm, KVM_SET_TSS_ADDR, (unsigned long)TSS_ADDRESS) < 0)
		return -errno;
	/* Stays mapped until the child ends. */
	memory = mmap(NULL, GUEST_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return -errno;
	memcpy(memory + GUEST_ENTRY, guest_code, sizeof(guest_code));
	region.userspace_addr = (uintptr_t)memory;
	if (ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region) < 0)
		return -errno;
	return take_fd(&vm);
}

/* To the entry, in real mode with flat segments. */
static int reset_cpu(int cpu)
{
	struct kvm_regs regs = { .rip = GUEST_ENTRY, .rflags = 2 };
	struct kvm_sregs sregs;

	if (ioctl(cpu, KVM_GET_SREGS, &sregs) < 0)
		return -errno;
	sregs.cs.base = 0;
	sregs.cs.selector = 0;
	if (ioctl(cpu, KVM_SET_SREGS, &sregs) < 0 || ioctl(cpu, KVM_SET_REGS, &regs) < 0)
		return -errno;
	return 0;
}

static int run_once(int cpu, const struct kvm_run *state, uint64_t *ret_ns)
{
	uint64_t start;
	int r = reset_cpu(cpu);

	if (r < 0)
		return r;
	start = clock_ns(CLOCK_MONOTONIC);
	if (ioctl(cpu, KVM_RUN, 0ul) < 0)
		return -errno;
	*ret_ns = clock_ns(CLOCK_MONOTONIC) - start;
	return state->exit_reason == KVM_EXIT_HLT ? 0 : -EIO;
}

int kvm_loop(uint64_t *ret_ns)
{
	_cleanup_close_ int kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC), vm = -1, cpu = -1;
	struct kvm_run *state;
	uint64_t best = UINT64_MAX;
	int size;

	if (kvm < 0)
		return -errno;
	vm = open_vm(kvm);
	if (vm < 0)
		return vm;
	cpu = ioctl(vm, KVM_CREATE_VCPU, 0ul);
	size = ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0ul);
	if (cpu < 0 || size < 0)
		return -errno;
	state = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, cpu, 0);
	if (state == MAP_FAILED)
		return -errno;
	for (int i = 0; i < 3; i++) {
		uint64_t ns = 0;
		int r = run_once(cpu, state, &ns);

		if (r < 0)
			return r;
		if (ns < best)
			best = ns;
	}
	*ret_ns = best;
	return 0;
}
