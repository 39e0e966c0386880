// SPDX-License-Identifier: GPL-2.0-only
/* Something for a virtual machine to boot. */
#include <errno.h>
#include <string.h>

#include "doctor/fix.h"
#include "doctor/kernel_image.h"
#include "doctor/probe.h"
#include "util/cleanup.h"

/* A folder of the cache, in a variable that the first command of the fix sets. */
#define FETCHED "\"$fetched\""

/* An image that can be booted, called @name: can it run a BPF scheduler, too? */
static void judge_image(const struct doctor_env *env, const char *path, const char *name,
			struct finding *finding)
{
	switch (kernel_image_option(env->root, path, "SCHED_CLASS_EXT")) {
	case KCONFIG_YES:
		finding_usable(finding, "%s, with sched_ext", name);
		break;
	case KCONFIG_NO:
	case KCONFIG_UNSET:
		finding_limited(finding,
				"%s has no sched_ext: to test BPF schedulers, name a kernel with "
				"CONFIG_SCHED_CLASS_EXT in KTSTR_KERNEL",
				name);
		break;
	case KCONFIG_UNKNOWN:
	case KCONFIG_MODULE:
	case KCONFIG_VALUE:
		finding_usable(finding, "%s", name);
		break;
	}
}

/* An image named by the user. */
static void judge_named_kernel(const struct doctor_env *env, struct finding *finding)
{
	_cleanup_(strbuf_done) struct strbuf name = STRBUF_INIT;
	const char *path = env->kernel.s;
	int r;

	strbuf_addf(&name, "KTSTR_KERNEL=%s", path);
	if (!strchr(path, '/')) {
		finding_unknown(finding, "%s names no file", name.s);
		return;
	}
	r = kernel_image_check(env->root, path, env->arch.s);
	if (r == 0)
		judge_image(env, path, name.s, finding);
	else
		finding_unusable(finding, "%s: %s", name.s,
				 r == -ENOEXEC ? "not a kernel image" : strerror(-r));
}

/* Whether apt was ever told what there is. */
static bool has_package_lists(const struct doctor_env *env)
{
	_cleanup_(strv_done) struct strv names = STRV_INIT;

	if (root_list(env->root, "var/lib/apt/lists", &names) <= 0)
		return false;
	for (size_t i = 0; i < names.n; i++)
		if (strstr(names.v[i], "_Packages"))
			return true;
	return false;
}

/* The newest kernel for virtual machines that apt knows, without installing it: that would change
 * what this machine boots. Packages of a kernel have three numbers in their names, others none or
 * two. */
static void fix_fetch(const struct doctor_env *env, struct finding *finding)
{
	const char *arch = strcmp(env->arch.s, "aarch64") == 0 ? "arm64" : "amd64";

	if (!env_has_program(env, "apt-get") || !env_has_program(env, "apt-cache") ||
	    !env_has_program(env, "dpkg"))
		return;
	if (!has_package_lists(env) && !fix_as_root(env, finding, CAP_CHOWN, "apt-get update"))
		return;
	strbuf_addstr(&finding->why, "; Debian's, which the commands fetch without installing it, "
				     "serves all tests but those of sched_ext");
	strv_add(&finding->fix,
		 "fetched=${KTSTR_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ktstr}/debian");
	strv_add(&finding->fix, "mkdir -p " FETCHED);
	strv_addf(&finding->fix,
		  "(cd " FETCHED " && apt-get download \"$(apt-cache search --names-only "
		  "'^linux-image-[0-9]+[.][0-9]+[.].*-cloud-%s$' | sort -V | tail -n 1 | "
		  "cut -d ' ' -f 1)\" && dpkg -x linux-image-*.deb . && rm linux-image-*.deb)",
		  arch);
	strv_add(&finding->fix,
		 "export KTSTR_KERNEL=\"$(ls -v " FETCHED "/boot/vmlinuz-* | tail -n 1)\"");
}

void probe_kernel(const struct doctor_env *env, struct finding *finding)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	int r;

	if (env->kernel.len) {
		judge_named_kernel(env, finding);
		return;
	}
	r = kernel_image_find(env->root, env->arch.s, &path);
	if (r > 0) {
		strbuf_addf(&text, "/%s", path.s);
		judge_image(env, path.s, text.s, finding);
	} else if (r == -EACCES) {
		finding_unusable(finding, "no permission to read /%s", path.s);
		strbuf_addf(&text, "chmod a+r /%s", path.s);
		if (fix_is_plain(path.s))
			fix_as_root(env, finding, CAP_FOWNER, text.s);
	} else {
		finding_unusable(finding, "no bootable kernel found: KTSTR_KERNEL is not set and "
					  "/boot has no vmlinuz");
		fix_fetch(env, finding);
	}
}
