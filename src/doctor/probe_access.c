// SPDX-License-Identifier: GPL-2.0-only
/* What we may see and do with processes that are not ours. */
#include <linux/capability.h>
#include <string.h>

#include "doctor/fix.h"
#include "doctor/probe.h"
#include "sys/mountinfo.h"

static const struct {
	int number;
	const char *name;
} caps[] = {
#define CAP(number, name) { CAP_##number, name },
#include "doctor/caps.def"
#undef CAP
};

static int find_cap(const char *name)
{
	size_t i = 0;

	while (strcmp(caps[i].name, name) != 0)
		i++;
	return caps[i].number;
}

/* Concludes that @cap is missing, and why it is. */
static void judge_missing_cap(const struct doctor_env *env, int cap, struct finding *finding)
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

void probe_capability(const struct doctor_env *env, const char *argument, struct finding *finding)
{
	int cap = find_cap(argument);

	if (!env->self_known)
		finding_unknown(finding, "nothing tells which capabilities there are");
	else if (env_has_cap(env, cap))
		finding_usable(finding, "held");
	else
		judge_missing_cap(env, cap, finding);
}

void probe_bpf_capability(const struct doctor_env *env, const char *argument,
			  struct finding *finding)
{
	(void)argument;
	if (!env->self_known)
		finding_unknown(finding, "nothing tells which capabilities there are");
	else if (env_has_cap(env, CAP_SYS_ADMIN))
		finding_usable(finding, "held (CAP_SYS_ADMIN)");
	else if (!env_has_cap(env, CAP_BPF))
		judge_missing_cap(env, CAP_BPF, finding);
	else if (!env_has_cap(env, CAP_PERFMON))
		judge_missing_cap(env, CAP_PERFMON, finding);
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

void probe_hidepid(const struct doctor_env *env, const char *argument, struct finding *finding)
{
	struct slice hidepid;

	(void)argument;
	if (!read_hidepid(env, &hidepid)) {
		finding_unknown(finding, "nothing tells how /proc is mounted");
	} else if (!hidepid.n) {
		finding_usable(finding, "visible");
	} else if (env_has_cap(env, CAP_SYS_PTRACE)) {
		finding_usable(finding, "visible by CAP_SYS_PTRACE, in spite of %.*s",
			       (int)hidepid.n, hidepid.s);
	} else {
		finding_limited(finding, "our own only: /proc is mounted with %.*s", (int)hidepid.n,
				hidepid.s);
		if (!fix_capability(env, finding, CAP_SYS_PTRACE))
			fix_as_root(env, finding, CAP_SYS_ADMIN,
				    "mount -o remount,hidepid=0 /proc");
	}
}

/* Reading another process's memory, by ptrace or process_vm_readv: both ask the same. */
void probe_heap(const struct doctor_env *env, const char *argument, struct finding *finding)
{
	static const char path[] = "proc/sys/kernel/yama/ptrace_scope";
	uint64_t scope = 0;
	int r = root_read_u64(env->root, path, &scope);

	(void)argument;
	if (!env->self_known) {
		finding_unknown(finding, "nothing tells which capabilities there are");
	} else if (r < 0) {
		probe_unreadable(path, r, finding);
	} else if (scope >= 3) {
		finding_unusable(finding,
				 "kernel.yama.ptrace_scope=3 forbids it until the next boot");
	} else if (env_has_cap(env, CAP_SYS_PTRACE)) {
		finding_usable(finding, "allowed for every process");
	} else if (scope == 0) {
		finding_limited(finding, "allowed for our own processes only");
		fix_capability(env, finding, CAP_SYS_PTRACE);
	} else {
		finding_unusable(finding, "kernel.yama.ptrace_scope=%u asks for CAP_SYS_PTRACE",
				 (unsigned)scope);
		if (!fix_capability(env, finding, CAP_SYS_PTRACE))
			fix_sysctl(env, finding, CAP_SYS_PTRACE, "kernel.yama.ptrace_scope=0");
	}
}
