// SPDX-License-Identifier: GPL-2.0-only
/* Virtual machines: acceleration, emulator, something to boot. */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/stat.h>

#include "doctor/fix.h"
#include "doctor/kernel_image.h"
#include "doctor/kvm_trial.h"
#include "doctor/passwd.h"
#include "doctor/probe.h"
#include "util/cleanup.h"

#define KVM_PATH "dev/kvm"

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

/* Joining the group that owns the device is enough when the group may use it. */
static void judge_kvm_permission(const struct doctor_env *env, struct finding *finding)
{
	_cleanup_(strbuf_done) struct strbuf group = STRBUF_INIT, user = STRBUF_INIT,
					     command = STRBUF_INIT;
	_cleanup_close_ int fd = root_open_file(env->root, KVM_PATH, O_PATH);
	struct stat st;

	finding_unusable(finding, "no permission to open /dev/kvm");
	if (!env->self_known || env->uid == 0 || fd < 0 || fstat(fd, &st) < 0)
		return;
	if ((st.st_mode & 060) == 060 && st.st_gid != 0 &&
	    group_name(env->root, st.st_gid, &group) && user_name(env->root, env->uid, &user) &&
	    fix_is_plain(group.s) && fix_is_plain(user.s)) {
		strbuf_addf(&command, "usermod -aG %s %s", group.s, user.s);
		strbuf_addf(&finding->why, "; group %s has it from the next login on", group.s);
	} else {
		strbuf_addstr(&command, "chmod a+rw /dev/kvm");
	}
	fix_as_root(env, finding, CAP_FOWNER, command.s);
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

void probe_kvm(const struct doctor_env *env, const char *argument, struct finding *finding)
{
	const struct doctor_trials *t = &env->trials;

	(void)argument;
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

void probe_qemu(const struct doctor_env *env, const char *argument, struct finding *finding)
{
	const struct doctor_trials *t = &env->trials;
	const char *name = env_qemu_name(env);
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;

	(void)argument;
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

/* An image named by the user. */
static void judge_named_kernel(const struct doctor_env *env, struct finding *finding)
{
	const char *name = env->kernel.s;
	int r;

	if (!strchr(name, '/')) {
		finding_unknown(finding, "KTSTR_KERNEL=%s names no file", name);
		return;
	}
	r = kernel_image_check(env->root, name, env->arch.s);
	if (r == 0)
		finding_usable(finding, "KTSTR_KERNEL=%s", name);
	else
		finding_unusable(finding, "KTSTR_KERNEL=%s: %s", name,
				 r == -ENOEXEC ? "not a kernel image" : strerror(-r));
}

/* Can it run a BPF scheduler? Its configuration lies beside it. */
static void judge_boot_kernel(const struct doctor_env *env, const char *release,
			      struct finding *finding)
{
	_cleanup_(kconfig_done) struct kconfig config = KCONFIG_INIT;
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;

	strbuf_addf(&path, "boot/config-%s", release);
	if (root_read(env->root, path.s, ROOT_CAP_FILE, &text) > 0)
		kconfig_parse(&config, strbuf_slice(&text));
	switch (kconfig_state(&config, "SCHED_CLASS_EXT")) {
	case KCONFIG_YES:
		finding_usable(finding, "/boot/vmlinuz-%s, with sched_ext", release);
		break;
	case KCONFIG_NO:
	case KCONFIG_UNSET:
		finding_limited(finding,
				"/boot/vmlinuz-%s has no sched_ext: to test BPF schedulers, name a "
				"kernel with CONFIG_SCHED_CLASS_EXT in KTSTR_KERNEL",
				release);
		break;
	case KCONFIG_UNKNOWN:
	case KCONFIG_MODULE:
	case KCONFIG_VALUE:
		finding_usable(finding, "/boot/vmlinuz-%s", release);
		break;
	}
}

static const char *kernel_package(const struct doctor_env *env)
{
	return strcmp(env->arch.s, "aarch64") == 0
		       ? "--no-install-recommends linux-image-cloud-arm64"
		       : "--no-install-recommends linux-image-cloud-amd64";
}

void probe_kernel(const struct doctor_env *env, const char *argument, struct finding *finding)
{
	_cleanup_(strbuf_done) struct strbuf release = STRBUF_INIT, command = STRBUF_INIT;
	int r;

	(void)argument;
	if (env->kernel.len) {
		judge_named_kernel(env, finding);
		return;
	}
	r = kernel_image_find(env->root, env->arch.s, &release);
	if (r > 0) {
		judge_boot_kernel(env, release.s, finding);
	} else if (r == -EACCES) {
		finding_unusable(finding, "no permission to read /boot/vmlinuz-%s", release.s);
		strbuf_addf(&command, "chmod a+r /boot/vmlinuz-%s", release.s);
		if (fix_is_plain(release.s))
			fix_as_root(env, finding, CAP_FOWNER, command.s);
	} else {
		finding_unusable(finding, "no bootable kernel found: KTSTR_KERNEL is not set and "
					  "/boot has no vmlinuz");
		fix_package(env, finding, kernel_package(env));
	}
}
