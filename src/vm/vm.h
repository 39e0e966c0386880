/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One VM from start to end: QEMU as a child that dies with us, its channels inherited descriptors,
 * its RAM a memfd of ours. vm_run() is one poll loop; what happens in the guest reaches the caller
 * as callbacks.
 */
#ifndef VM_VM_H
#define VM_VM_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/frame.h"
#include "record/machine.h"
#include "util/compiler.h"
#include "util/err.h"
#include "util/strv.h"

enum vm_accel {
#define ACCEL(id, name) VM_ACCEL_##id,
#include "vm/accels.def"
#undef ACCEL
};

const char *vm_accel_name(enum vm_accel accel);

/* How a VM came to its end. */
enum vm_ended {
#define ENDED(id, name, words) VM_ENDED_##id,
#include "vm/ended.def"
#undef ENDED
	VM_ENDED_COUNT
};

const char *vm_ended_name(enum vm_ended ended);
const char *vm_ended_words(enum vm_ended ended);

struct vm_config {
	const struct machine *machine;
	uint64_t memory_mb;
	const char *qemu;   /* program; NULL: qemu-system-x86_64 in PATH */
	const char *kernel; /* image */
	int initrd[2];      /* base and suffix, open files; -1: none */
	const char *append; /* what the caller adds to the kernel's command line */
	enum vm_accel accel;
	/* The kernel patches its own code while it runs (jump labels, probes), as all do but ours:
	 * QEMU 7.2 with a thread per vCPU can kill such a guest under TCG, so it gets one thread.
	 */
	bool patches_code;
	bool verbose; /* the guest's console at full log level */
	/* Deadlines in ms of host time, multiplied by 8 under TCG. */
	unsigned boot_ms;   /* from start to the first frame; 0: VM_BOOT_MS */
	unsigned answer_ms; /* of QEMU, to a command; 0: VM_ANSWER_MS */
	unsigned silent_ms; /* without any frame, unless it is us who does not read; 0: no limit */
	unsigned total_ms;  /* of it all; 0: no limit */
};

#define VM_BOOT_MS   30000u
#define VM_ANSWER_MS 5000u

struct vm;

/* Members may be NULL. */
struct vm_events {
	/* QEMU runs. Comes again when a guest that KVM could not bring up is tried under TCG; what
	 * was watched is forgotten then. */
	void (*started)(void *ctx, struct vm *vm, enum vm_accel accel);
	/* A message of the guest, stamped on arrival (CLOCK_MONOTONIC). */
	void (*message)(void *ctx, struct vm *vm, const struct frame *frame, uint64_t at_ns);
	/* Bytes of the serial console. */
	void (*console)(void *ctx, struct vm *vm, struct slice bytes);
	/* A descriptor of the caller's (vm_watch()) is ready, or at its end. */
	void (*ready)(void *ctx, struct vm *vm, int fd);
	void *ctx;
};

struct vm_outcome {
	enum vm_ended ended;
	char why[512];              /* in words, with the deadline that passed */
	enum vm_accel accel;        /* the one that ran: KVM or TCG */
	char accel_why[256];        /* why not KVM; "" under KVM */
	struct strbuf console_tail; /* the last lines, at most 64 KiB */
	uint64_t bad_frames;
	uint64_t boot_ns; /* from start to the first frame; 0: none came */
	uint64_t total_ns;
};

#define VM_OUTCOME_INIT                                                                            \
	{                                                                                          \
		.console_tail = STRBUF_INIT                                                        \
	}

void vm_outcome_done(struct vm_outcome *outcome);

/* Starts, runs until the end and reaps. 0 whatever happened in the guest: @ret says how it ended.
 * -errno when there was nothing to run (no QEMU, no kernel, no memory). To be called by the main
 * thread: QEMU ends with the thread that started it. */
_must_check_ int vm_run(const struct vm_config *config, const struct vm_events *events,
			struct vm_outcome *ret, struct err *err);

/* For callbacks. */

/* What waits for the guest is bounded: -ENOBUFS beyond, and the message is dropped. */
_must_check_ int vm_send(struct vm *vm, uint32_t type, struct slice payload);

enum vm_watch {
	VM_WATCH_READ,
	VM_WATCH_WRITE,
	VM_WATCH_FEED, /* reading, while there is room for what is to be sent to the guest */
};
/* Calls ready(). At most 8; a descriptor that is watched already is watched as asked for now. */
void vm_watch(struct vm *vm, int fd, enum vm_watch how);
void vm_unwatch(struct vm *vm, int fd);

/* No message is handed over any more until vm_resume(): the guest has to wait. */
void vm_hold(struct vm *vm);
void vm_resume(struct vm *vm);

void vm_stop(struct vm *vm); /* ends it as VM_ENDED_ASKED */

/* The guest's memory of one node, for reading: mapped when first asked for, valid until the end.
 * @ret_bytes is 0 for a node that has none. -errno. */
_must_check_ int vm_ram(struct vm *vm, unsigned node, const void **ret, uint64_t *ret_bytes);

#endif
