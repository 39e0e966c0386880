// SPDX-License-Identifier: GPL-2.0-only
#include "vm/qemu_args.h"

#include <inttypes.h>

#include "vm/qemu_numa.h"

/* APIC ids beyond take x2APIC, and interrupts to them a remapping IOMMU. */
#define APIC_ID_MAX 255

/* The model is one whose L3 QEMU shows per die. What TCG lacks of it is left out, or QEMU would
 * write a line for each to standard error, for every vCPU. cmpxchg16b it has, but QEMU 7.2 spoils
 * the flags behind it: of 14 boots with it 4 died with garbage in EFLAGS, of 14 without it none. */
#define CPU_MODEL "Skylake-Server"
static const char tcg_lacks[] =
	",cx16=off,pcid=off,x2apic=off,tsc-deadline=off,hle=off,invpcid=off,rtm=off,"
	"avx512f=off,avx512dq=off,rdseed=off,avx512cd=off,avx512bw=off,"
	"avx512vl=off,3dnowprefetch=off,xsavec=off";

static bool wants_remapping(const struct machine *m)
{
	return machine_max_apic_id(m) > APIC_ID_MAX;
}

const char *qemu_refuses(const struct machine *m, enum vm_accel accel)
{
	if (accel == VM_ACCEL_TCG && wants_remapping(m))
		return "APIC ids above 255 need KVM";
	return "";
}

static void add(struct strv *ret, const char *option, const char *value)
{
	strv_add(ret, option);
	strv_add(ret, value);
}

/* Nothing that QEMU would add of itself, read from a file or start; it ends with its guest. */
static void add_closed_world(struct strv *ret)
{
	add(ret, "-sandbox",
	    "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny");
	strv_add(ret, "-no-user-config");
	strv_add(ret, "-nodefaults");
	add(ret, "-display", "none");
	strv_add(ret, "-no-reboot");
}

/* Devices of the board that no guest of ours needs cost it time to find. */
static void add_board(const struct machine *m, struct strv *ret)
{
	strv_add(ret, "-machine");
	strv_addf(ret, "q35,sata=off,smbus=off,usb=off,graphics=off,vmport=off,i8042=off%s",
		  qemu_wants_hmat(m) ? ",hmat=on" : "");
}

static void add_kvm(const struct machine *m, struct strv *ret)
{
	if (wants_remapping(m)) {
		add(ret, "-accel", "kvm,kernel-irqchip=split");
		add(ret, "-device", "intel-iommu,intremap=on,eim=on");
	} else {
		add(ret, "-accel", "kvm");
	}
	/* Else it has the vendor of the host, and AMD's leaves do not show dies. */
	add(ret, "-cpu", CPU_MODEL ",vendor=GenuineIntel");
}

static void add_tcg(const struct vm_config *config, struct strv *ret)
{
	bool one_thread = config->patches_code && machine_cpus(config->machine) > 1;

	add(ret, "-accel", one_thread ? "tcg,thread=single" : "tcg,thread=multi");
	strv_add(ret, "-cpu");
	strv_addf(ret, CPU_MODEL "%s", tcg_lacks);
}

/* One die is one LLC. */
static void add_topology(const struct machine *m, struct strv *ret)
{
	unsigned dies = machine_package_llcs(m);

	strv_add(ret, "-smp");
	strv_addf(ret, "%u,sockets=%u,dies=%u,cores=%u,threads=%u", machine_cpus(m), m->llcs / dies,
		  dies, m->cores, m->threads);
}

static void add_socket(struct strv *ret, const char *id, int fd)
{
	strv_add(ret, "-chardev");
	strv_addf(ret, "socket,id=%s,fd=%d", id, fd);
}

static void add_channels(const struct qemu_fds *fds, struct strv *ret)
{
	add_socket(ret, "qmp", fds->qmp);
	add(ret, "-mon", "chardev=qmp,mode=control");
	add_socket(ret, "console", fds->console);
	add(ret, "-serial", "chardev:console");
	add_socket(ret, "channel", fds->channel);
	add(ret, "-device", "virtio-serial-pci,max_ports=2");
	add(ret, "-device", "virtserialport,nr=1,chardev=channel,name=" QEMU_PORT_NAME);
}

void qemu_args(const struct vm_config *config, enum vm_accel accel, const struct qemu_fds *fds,
	       const char *append, struct strv *ret)
{
	const struct machine *m = config->machine;

	strv_add(ret, config->qemu ? config->qemu : "qemu-system-x86_64");
	add_closed_world(ret);
	add_board(m, ret);
	if (accel == VM_ACCEL_KVM)
		add_kvm(m, ret);
	else
		add_tcg(config, ret);
	add_topology(m, ret);
	strv_add(ret, "-m");
	strv_addf(ret, "%" PRIu64 "M", config->memory_mb);
	qemu_numa_args(config, fds, ret);
	add_channels(fds, ret);
	strv_add(ret, "-kernel");
	strv_addf(ret, "/proc/self/fd/%d", fds->kernel);
	if (fds->initrd >= 0) {
		strv_add(ret, "-initrd");
		strv_addf(ret, "/proc/self/fd/%d", fds->initrd);
	}
	add(ret, "-append", append);
}
