// SPDX-License-Identifier: GPL-2.0-only
/* What we may see and do with processes that are not ours. */
#include "doctor/fix.h"
#include "doctor/probe.h"
#include "sys/mountinfo.h"

/* Concludes that @cap is missing, and why it is. */
static void judge_missing_cap(const struct doctor_env *env, enum doctor_cap cap,
			      struct finding *finding)
{
	if (env->user_ns && (env->caps >> cap & 1))
		finding_unusable(finding, "held, but counts only inside this user namespace");
	else if (!(env->bounding >> cap & 1))
		finding_unusable(finding,
				 "taken away for good (bounding set): it has to be granted "
				 "where this container is started");
	else if (env->no_new_privs)
		finding_unusable(finding, "not held, and no_new_privs keeps us from getting it");
	else
		finding_unusable(finding, "not held");
	fix_capability(env, finding, cap);
}

void probe_capability(const struct doctor_env *env, struct finding *finding, enum doctor_cap cap)
{
	if (!env->self_known)
		finding_unknown(finding, "nothing tells which capabilities there are");
	else if (env_has_cap(env, cap))
		finding_usable(finding, "held");
	else
		judge_missing_cap(env, cap, finding);
}

void probe_bpf_capability(const struct doctor_env *env, struct finding *finding)
{
	if (!env->self_known)
		finding_unknown(finding, "nothing tells which capabilities there are");
	else if (env_has_cap(env, CAP_SYS_ADMIN))
		finding_usable(finding, "held (CAP_SYS_ADMIN)");
	else if (!env_has_cap(env, CAP_BPF))
		judge_missing_cap(env, DOCTOR_CAP_BPF, finding);
	else if (!env_has_cap(env, CAP_PERFMON))
		judge_missing_cap(env, DOCTOR_CAP_PERFMON, finding);
	else
		finding_usable(finding, "held");
}

/* The option of the topmost mount of /proc that hides processes, "" when none does. False without
 * such a mount. */
static bool read_hidepid(const struct doctor_env *env, struct slice *ret)
{
	struct slice rest = strbuf_slice(&env->mounts), option;
	struct mount mount;
	bool mounted = false;

	while (mountinfo_next(&rest, &mount)) {
		if (!slice_is(mount.point, "/proc") || !slice_is(mount.fstype, "proc"))
			continue;
		mounted = true;
		*ret = (struct slice){ "", 0 };
		while (slice_cut(&mount.super_options, ',', &option))
			if (slice_starts(option, "hidepid=") && !slice_is(option, "hidepid=0") &&
			    !slice_is(option, "hidepid=off"))
				*ret = option;
	}
	return mounted;
}

bool probe_sees_others(const struct doctor_env *env, const char *manner, struct finding *finding)
{
	struct slice hidepid;

	if (!read_hidepid(env, &hidepid)) {
		finding_unknown(finding, "nothing tells how /proc is mounted");
		return false;
	}
	if (hidepid.n && !env_has_cap(env, CAP_SYS_PTRACE)) {
		finding_limited(finding, "only our own are %s: /proc is mounted with %.*s", manner,
				(int)hidepid.n, hidepid.s);
		if (!fix_capability(env, finding, DOCTOR_CAP_SYS_PTRACE))
			fix_as_root(env, finding, CAP_SYS_ADMIN,
				    "mount -o remount,hidepid=0 /proc");
		return false;
	}
	if (env->pid_ns)
		finding_limited(finding, "only those of this PID namespace are %s", manner);
	return !env->pid_ns;
}

void probe_processes(const struct doctor_env *env, struct finding *finding)
{
	if (probe_sees_others(env, "visible", finding))
		finding_usable(finding, "visible");
}

/* Reading another process's memory, by ptrace or process_vm_readv: both ask the same. */
void probe_heap(const struct doctor_env *env, struct finding *finding)
{
	static const char path[] = "proc/sys/kernel/yama/ptrace_scope";
	uint64_t scope = 0;
	int r = root_read_u64(env->root, path, &scope);

	if (!env->self_known) {
		finding_unknown(finding, "nothing tells which capabilities there are");
	} else if (r < 0) {
		probe_unreadable(path, r, finding);
	} else if (scope >= 3) {
		finding_unusable(finding,
				 "kernel.yama.ptrace_scope=3 forbids it until the next boot");
	} else if (env_has_cap(env, CAP_SYS_PTRACE)) {
		if (probe_sees_others(env, "readable", finding))
			finding_usable(finding, "allowed for every process");
	} else if (scope == 0) {
		finding_limited(finding, "allowed for our own processes only");
		fix_capability(env, finding, DOCTOR_CAP_SYS_PTRACE);
	} else {
		finding_unusable(finding, "kernel.yama.ptrace_scope=%u asks for CAP_SYS_PTRACE",
				 (unsigned)scope);
		if (!fix_capability(env, finding, DOCTOR_CAP_SYS_PTRACE))
			fix_sysctl(env, finding, CAP_SYS_PTRACE, "kernel.yama.ptrace_scope=0");
	}
}
