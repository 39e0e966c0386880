// SPDX-License-Identifier: GPL-2.0-only
#include "doctor/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel/kernel.h"
#include "sys/taskstats.h"
#include "util/child.h"
#include "util/cleanup.h"
#include "vm/kvm_trial.h"

#define QEMU_DEADLINE_MS 5000

void doctor_trials_done(struct doctor_trials *trials)
{
	strbuf_done(&trials->qemu_version);
	strbuf_done(&trials->kernel_words);
}

static int try_taskstats(uint16_t *ret_version)
{
	_cleanup_(taskstats_close) struct taskstats_link link = TASKSTATS_LINK_INIT;
	_cleanup_(strbuf_done) struct strbuf stats = STRBUF_INIT;
	int r = taskstats_open(&link);

	if (r == 0)
		r = taskstats_get(&link, gettid(), &stats);
	if (r == 0)
		memcpy(ret_version, stats.s, sizeof(*ret_version));
	return r;
}

/* A socket filter that returns 0: the least a kernel that has bpf(2) can be asked for. */
static int try_bpf(void)
{
	static const struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {};
	long fd;

	attr.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	attr.insns = (uintptr_t)program;
	attr.insn_cnt = 2;
	attr.license = (uintptr_t) "GPL";
	fd = syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
	if (fd < 0)
		return -errno;
	close((int)fd);
	return 0;
}

static void qemu_child(void *ctx, int out)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
	    dup2(out, STDERR_FILENO) < 0)
		_exit(127);
	execl(ctx, ctx, "--version", (char *)NULL);
	_exit(127);
}

/* "QEMU emulator version 7.2.22 (Debian ...)" gives "7.2.22". */
static int read_qemu_answer(struct child *child, struct strbuf *version)
{
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
	struct slice rest, word;
	int r = child_finish(child, &out);

	if (r < 0)
		return r;
	rest = strbuf_slice(&out);
	while (slice_word(&rest, &word)) {
		if (!slice_is(word, "version") || !slice_word(&rest, &word))
			continue;
		strbuf_addslice(version, word);
		return 0;
	}
	return -EBADMSG;
}

/* Side by side: each has its own time to answer. */
static void try_children(const char *qemu, struct doctor_trials *trials)
{
	struct child kvm, qemu_trial;

	trials->kvm = kvm_trial_start(&kvm);
	trials->qemu = -ENOENT;
	if (*qemu)
		trials->qemu = child_start(&qemu_trial, qemu_child, (void *)(uintptr_t)qemu,
					   QEMU_DEADLINE_MS);
	if (trials->kvm == 0)
		trials->kvm = kvm_trial_finish(&kvm, &trials->kvm_loop_ns);
	if (trials->qemu == 0)
		trials->qemu = read_qemu_answer(&qemu_trial, &trials->qemu_version);
}

/* What a virtual machine would boot, unless it is told something else. */
static void try_kernel(struct doctor_trials *trials)
{
	_cleanup_(kernel_done) struct kernel k = KERNEL_INIT;
	_cleanup_(kconfig_done) struct kconfig config = KCONFIG_INIT;
	struct err err;

	trials->kernel = kernel_find(NULL, &k, &err);
	if (trials->kernel < 0) {
		strbuf_addstr(&trials->kernel_words, err.text);
		return;
	}
	strbuf_addf(&trials->kernel_words, "%s (%s)", k.image.s, k.rule.s);
	/* Without a configuration it stays unknown. */
	(void)!kernel_config_read(&k, &config, &err);
	trials->kernel_sched_ext = kconfig_state(&config, "SCHED_CLASS_EXT");
}

void doctor_trials_run(const struct root *root, const char *qemu, struct doctor_trials *trials)
{
	trials->done = root->live;
	if (!trials->done)
		return;
	trials->taskstats = try_taskstats(&trials->taskstats_version);
	trials->bpf = try_bpf();
	try_children(qemu, trials);
	try_kernel(trials);
}
