// SPDX-License-Identifier: GPL-2.0-only
#include "vm/qemu_args.h"

/*
 * Words that every guest gets, and why:
 *
 * - init= besides rdinit=: when it does not start, the kernel panics instead of trying /bin/sh.
 * - psi=1: Debian's kernels have pressure switched off unless they are told.
 * - panic=-1 reboots at once, which ends QEMU (-no-reboot).
 * - schedstats=enable sets the switch while one CPU runs; the sysctl, which comes when all run,
 * then finds it set and patches no code.
 * - rootfstype=ramfs: a tmpfs as root could hold half of the memory only, and kernels before
 *   initramfs_options= cannot be told another size.
 * - swiotlb=noforce: no device needs bounce buffers of 64 MiB.
 * - numa_balancing=disable: on is for the tests that ask for it.
 * - loglevel=1: quiet, but a panic or an oops raises it; from 0 the kernel never does.
 */
static const char always[] =
	"console=ttyS0 rdinit=/init init=/init rootfstype=ramfs panic=-1 nomodule "
	"mitigations=off no_timer_check random.trust_cpu=on swiotlb=noforce "
	"lockdown=none numa_balancing=disable delayacct psi=1 schedstats=enable "
	"sysctl.kernel.sched_schedstats=1 "
	"sysctl.kernel.unprivileged_bpf_disabled=0";

void qemu_append(const struct vm_config *config, enum vm_accel accel, struct strbuf *ret)
{
	strbuf_addstr(ret, always);
	if (accel == VM_ACCEL_KVM)
		strbuf_addstr(ret, " clocksource=kvm-clock");
	strbuf_addstr(ret, config->verbose ? " loglevel=7 earlyprintk=ttyS0" : " loglevel=1");
	if (config->append && config->append[0])
		strbuf_addf(ret, " %s", config->append);
}
