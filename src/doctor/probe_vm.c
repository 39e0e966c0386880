// SPDX-License-Identifier: GPL-2.0-only
/* Virtual machines: acceleration and emulator. */
#include <errno.h>
#include <string.h>

#include "doctor/fix.h"
#include "doctor/passwd.h"
#include "doctor/probe.h"
#include "util/cleanup.h"
#include "vm/kvm_trial.h"

#define KVM_PATH "dev/kvm"

/* Appended to the reason: who joins a group does not notice at once. */
#define JOINED(group) "; group " group " has it from the next login on"

/* The module that would bring /dev/kvm on this CPU, NULL when none does. */
static const char *kvm_module(const struct doctor_env *env)
{
	static const char *const modules[][2] = { { "vmx", "kvm_intel" }, { "svm", "kvm_amd" } };
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct slice rest, line, key, flags, flag;

	if (root_read(env->root, "proc/cpuinfo", ROOT_CAP_FILE, &text) <= 0)
		return NULL;
	rest = strbuf_slice(&text);
	while (slice_cut(&rest, '\n', &line)) {
		if (!slice_split(line, ':', &key, &flags) || !slice_is(key, "flags"))
			continue;
		while (slice_word(&flags, &flag))
			for (size_t i = 0; i < ARRAY_SIZE(modules); i++)
				if (slice_is(flag, modules[i][0]))
					return modules[i][1];
		return NULL;
	}
	return NULL;
}

/* Whether the module is installed for the running kernel; its file is named with a '-'. */
static bool has_module(const struct doctor_env *env, const char *module)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT, text = STRBUF_INIT,
					     file = STRBUF_INIT;

	strbuf_addf(&path, "lib/modules/%s/modules.dep", env->release.s);
	if (!env->release.len || root_read(env->root, path.s, ROOT_CAP_FILE, &text) <= 0)
		return false;
	strbuf_addf(&file, "/%s.ko", module);
	for (char *c = file.s; (c = strchr(c, '_'));)
		*c = '-';
	return memmem(text.s, text.len, file.s, file.len) != NULL;
}

static void judge_no_kvm(const struct doctor_env *env, struct finding *finding)
{
	_cleanup_(strbuf_done) struct strbuf command = STRBUF_INIT;
	const char *module = kvm_module(env);

	if (!module) {
		finding_unusable(finding, "no /dev/kvm, and the CPU shows neither vmx nor svm: "
					  "switched off in the firmware, or a VM without nesting");
	} else if (has_module(env, module)) {
		finding_unusable(finding, "no /dev/kvm: its module is not loaded");
		strbuf_addf(&command, "modprobe %s", module);
		fix_as_root(env, finding, CAP_SYS_MODULE, command.s);
	} else if (kconfig_state(&env->kconfig, "KVM") == KCONFIG_YES) {
		finding_unusable(finding, "no /dev/kvm in this container or tree");
	} else {
		probe_missing(env, "/dev/kvm", "KVM", finding);
	}
}

/* For @user alone: what opens the device to everybody is no fix. */
static void fix_kvm_user(const struct doctor_env *env, const char *user, struct finding *finding)
{
	_cleanup_(strbuf_done) struct strbuf command = STRBUF_INIT;

	if (env_has_program(env, "setfacl")) {
		strbuf_addf(&command, "setfacl -m u:%s:rw /dev/kvm", user);
		fix_as_root(env, finding, CAP_FOWNER, command.s);
	} else if (group_exists(env->root, "kvm")) {
		strbuf_addf(&command, "usermod -aG kvm %s", user);
		if (fix_as_root(env, finding, CAP_CHOWN, "chgrp kvm /dev/kvm") &&
		    fix_as_root(env, finding, CAP_FOWNER, "chmod 660 /dev/kvm") &&
		    fix_as_root(env, finding, CAP_FOWNER, command.s))
			strbuf_addstr(&finding->why, JOINED("kvm"));
	}
}

/* Joining the group that owns the device is enough when the group may use it. */
static void judge_kvm_permission(const struct doctor_env *env, struct finding *finding)
{
	_cleanup_(strbuf_done) struct strbuf group = STRBUF_INIT, user = STRBUF_INIT,
					     command = STRBUF_INIT;
	struct stat st;

	finding_unusable(finding, "no permission to open /dev/kvm");
	if (!env->self_known || env->uid == 0 || root_stat(env->root, KVM_PATH, &st) <= 0 ||
	    !user_name(env->root, env->uid, &user) || !fix_is_plain(user.s))
		return;
	if ((st.st_mode & 060) == 060 && st.st_gid != 0 &&
	    group_name(env->root, st.st_gid, &group) && fix_is_plain(group.s)) {
		strbuf_addf(&command, "usermod -aG %s %s", group.s, user.s);
		if (fix_as_root(env, finding, CAP_FOWNER, command.s))
			strbuf_addf(&finding->why, JOINED("%s"), group.s);
	} else {
		fix_kvm_user(env, user.s, finding);
	}
}

static void judge_kvm_loop(uint64_t ns, struct finding *finding)
{
	if (ns >= KVM_LOOP_EMULATED_NS)
		finding_limited(
			finding,
			"emulated: %d rounds of a guest loop took %.1f ms, on hardware they "
			"take well under 1 ms",
			KVM_LOOP_ITERATIONS, (double)ns / 1e6);
	else
		finding_usable(finding, "%d rounds of a guest loop took %.3f ms",
			       KVM_LOOP_ITERATIONS, (double)ns / 1e6);
}

void probe_kvm(const struct doctor_env *env, struct finding *finding)
{
	const struct doctor_trials *t = &env->trials;

	if (!root_exists(env->root, KVM_PATH) || (t->done && t->kvm == -ENOENT))
		judge_no_kvm(env, finding);
	else if (!t->done)
		probe_not_tried(finding);
	else if (t->kvm == 0)
		judge_kvm_loop(t->kvm_loop_ns, finding);
	else if (t->kvm == -EACCES || t->kvm == -EPERM)
		judge_kvm_permission(env, finding);
	else if (t->kvm == -ENOSYS)
		finding_usable(finding, "opens; its speed is not measured on this architecture");
	else if (t->kvm == -ETIMEDOUT)
		finding_unusable(finding, "a guest of four instructions did not end in time");
	else
		finding_unusable(finding, "a guest of four instructions failed: %s",
				 strerror(-t->kvm));
}

void probe_qemu(const struct doctor_env *env, struct finding *finding)
{
	const struct doctor_trials *t = &env->trials;
	const char *name = env_qemu_name(env);
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;

	if (!env_find_program(env, name, &path)) {
		finding_unusable(finding, "%s is not installed", name);
		fix_package(env, finding,
			    strcmp(name, "qemu-system-aarch64") == 0 ? "qemu-system-arm"
								     : "qemu-system-x86");
	} else if (!t->done) {
		finding_usable(finding, "/%s; version not probed (--sysroot)", path.s);
	} else if (t->qemu == 0) {
		finding_usable(finding, "/%s, version %s", path.s, t->qemu_version.s);
	} else if (t->qemu == -ETIMEDOUT) {
		finding_unusable(finding, "/%s does not answer", path.s);
	} else {
		finding_unusable(finding, "/%s does not run", path.s);
	}
}
