/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What only a system call can tell about this machine: each trial really does the thing once, in
 * bounded time, and leaves nothing behind. Judging the results is the probes' business.
 */
#ifndef DOCTOR_TRIAL_H
#define DOCTOR_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "sys/kconfig.h"
#include "util/root.h"
#include "util/strbuf.h"

struct doctor_trials {
	bool done; /* false on a tree that is not this machine: nothing below is known */

	int taskstats;              /* asking for our own thread: 0 or -errno */
	uint16_t taskstats_version; /* 0 when not told */

	int bpf; /* loading a program of two instructions: 0 or -errno */

	int kvm;              /* running a guest loop: 0 or -errno; -ENOSYS: not done here */
	uint64_t kvm_loop_ns; /* how long the loop took */

	int qemu; /* asking for the version: 0 or -errno; -ENOENT: not installed */
	struct strbuf qemu_version;

	int kernel; /* finding one to boot: 0 or -errno */
	enum kconfig_state kernel_sched_ext;
	struct strbuf kernel_words; /* image and why this one; else the error */
};

#define DOCTOR_TRIALS_INIT                                                                         \
	{                                                                                          \
		.qemu_version = STRBUF_INIT, .kernel_words = STRBUF_INIT                           \
	}

void doctor_trials_done(struct doctor_trials *trials);

/* @qemu is the path of the program, "" when there is none. */
void doctor_trials_run(const struct root *root, const char *qemu, struct doctor_trials *trials);

#endif
