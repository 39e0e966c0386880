// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "doctor/btf_names.h"
#include "doctor/fix.h"
#include "doctor/probe.h"
#include "util/cleanup.h"

#define BTF_PATH "sys/kernel/btf/vmlinux"
#define BTF_CAP  (128u * 1024 * 1024) /* kernels with everything built in have some 10 MiB */

static bool may_trace(const struct doctor_env *env)
{
	return env_has_cap(env, CAP_SYS_ADMIN) ||
	       (env_has_cap(env, CAP_BPF) && env_has_cap(env, CAP_PERFMON));
}

static void judge_bpf_refused(const struct doctor_env *env, struct finding *finding)
{
	uint64_t restricted = 0;

	if (may_trace(env)) {
		finding_unusable(finding, "refused in spite of our capabilities (a seccomp filter "
					  "or a security module)");
		return;
	}
	if (root_read_u64(env->root, "proc/sys/kernel/unprivileged_bpf_disabled", &restricted) <= 0)
		restricted = 0;
	finding_unusable(finding,
			 restricted ? "kernel.unprivileged_bpf_disabled=%u asks for CAP_BPF"
				    : "refused without CAP_BPF",
			 (unsigned)restricted);
	fix_capability(env, finding, DOCTOR_CAP_BPF);
}

void probe_bpf_syscall(const struct doctor_env *env, struct finding *finding)
{
	const struct doctor_trials *t = &env->trials;

	switch (kconfig_state(&env->kconfig, "BPF_SYSCALL")) {
	case KCONFIG_NO:
	case KCONFIG_UNSET:
		probe_missing(env, "bpf(2)", "BPF_SYSCALL", finding);
		return;
	default:
		break;
	}
	if (!t->done) {
		probe_not_tried(finding);
	} else if (t->bpf == 0 && may_trace(env)) {
		finding_usable(finding, "loads a program");
	} else if (t->bpf == 0) {
		finding_limited(finding, "loads a program, but none that reads kernel data");
		fix_capability(env, finding, DOCTOR_CAP_PERFMON);
	} else if (t->bpf == -ENOSYS) {
		probe_missing(env, "bpf(2)", "BPF_SYSCALL", finding);
	} else if (t->bpf == -EPERM || t->bpf == -EACCES) {
		judge_bpf_refused(env, finding);
	} else {
		finding_unusable(finding, "loading a program failed: %s", strerror(-t->bpf));
	}
}

/* 1 read into @btf, else concluded. */
static int read_btf(const struct doctor_env *env, struct strbuf *btf, struct finding *finding)
{
	int r = root_read(env->root, BTF_PATH, BTF_CAP, btf);

	if (r < 0)
		probe_unreadable(BTF_PATH, r, finding);
	else if (r == 0)
		probe_missing(env, "BTF", "DEBUG_INFO_BTF", finding);
	return r;
}

void probe_btf(const struct doctor_env *env, struct finding *finding)
{
	_cleanup_(strbuf_done) struct strbuf btf = STRBUF_INIT;

	if (read_btf(env, &btf, finding) <= 0)
		return;
	if (btf_has_name(strbuf_slice(&btf), "task_struct"))
		finding_usable(finding, "describes this kernel's types");
	else
		finding_unusable(finding, "/%s does not describe task_struct", BTF_PATH);
}

void probe_task_iterator(const struct doctor_env *env, struct finding *finding)
{
	_cleanup_(strbuf_done) struct strbuf btf = STRBUF_INIT;

	if (read_btf(env, &btf, finding) <= 0)
		return;
	if (btf_has_name(strbuf_slice(&btf), "bpf_iter__task"))
		finding_usable(finding, "offered by this kernel");
	else
		finding_unusable(finding, "this kernel does not offer it (no bpf_iter__task in its "
					  "BTF); ctprof reads /proc instead");
}

/* "none [integrity] confidentiality": the one in brackets holds. */
static struct slice chosen_mode(struct slice text)
{
	struct slice word;

	while (slice_word(&text, &word))
		if (word.n > 2 && word.s[0] == '[' && word.s[word.n - 1] == ']')
			return (struct slice){ word.s + 1, word.n - 2 };
	return (struct slice){ "", 0 };
}

/* No file: not part of the kernel, not switched on, or securityfs is not there to show it. */
static void judge_no_lockdown_file(const struct doctor_env *env, struct finding *finding)
{
	enum kconfig_state option = kconfig_state(&env->kconfig, "SECURITY_LOCKDOWN_LSM");
	_cleanup_(strv_done) struct strv names = STRV_INIT;

	if (option == KCONFIG_NO || option == KCONFIG_UNSET) {
		finding_usable(finding, "not part of this kernel");
	} else if (root_list(env->root, "sys/kernel/security", &names) > 0 && names.n) {
		finding_usable(finding, "not active");
	} else {
		finding_unknown(finding, "securityfs is not mounted");
		fix_as_root(env, finding, CAP_SYS_ADMIN,
			    "mount -t securityfs securityfs /sys/kernel/security");
	}
}

void probe_lockdown(const struct doctor_env *env, struct finding *finding)
{
	static const char path[] = "sys/kernel/security/lockdown";
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	int r = root_read_text(env->root, path, &text);
	struct slice mode;

	if (r == 0) {
		judge_no_lockdown_file(env, finding);
		return;
	}
	mode = chosen_mode(strbuf_slice(&text));
	if (r < 0)
		finding_unknown(finding, "cannot read /%s: %s", path, strerror(-r));
	else if (slice_is(mode, "none") || slice_is(mode, "integrity"))
		finding_usable(finding, "%.*s", (int)mode.n, mode.s);
	else if (slice_is(mode, "confidentiality"))
		finding_limited(finding,
				"confidentiality: helpers that copy kernel memory are refused");
	else
		finding_unknown(finding, "a mode we do not know: %s", text.s);
}
