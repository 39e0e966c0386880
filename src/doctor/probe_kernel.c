// SPDX-License-Identifier: GPL-2.0-only
/* Something for a virtual machine to boot. */
#include <errno.h>
#include <string.h>

#include "doctor/fix.h"
#include "doctor/kernel_image.h"
#include "doctor/probe.h"
#include "util/cleanup.h"

/* An image that can be booted, called @name: can it run a BPF scheduler, too? */
static void judge_image(enum kconfig_state sched_ext, const char *name, struct finding *finding)
{
	switch (sched_ext) {
	case KCONFIG_YES:
		finding_usable(finding, "%s, with sched_ext", name);
		break;
	case KCONFIG_NO:
	case KCONFIG_UNSET:
		finding_limited(
			finding,
			"%s has no sched_ext, which BPF schedulers need; 'ktstr kernel build' "
			"makes one that has",
			name);
		break;
	case KCONFIG_UNKNOWN:
	case KCONFIG_MODULE:
	case KCONFIG_VALUE:
		finding_usable(finding, "%s", name);
		break;
	}
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

/* Debian's kernel for virtual machines, into the cache. */
static void fix_fetch(const struct doctor_env *env, struct finding *finding)
{
	if (!env_has_program(env, "apt-get") || !env_has_program(env, "apt-cache") ||
	    !env_has_program(env, "dpkg-deb"))
		return;
	if (!has_package_lists(env) && !fix_as_root(env, finding, CAP_CHOWN, "apt-get update"))
		return;
	strbuf_addstr(&finding->why, "; Debian's serves all tests but those of sched_ext");
	strv_add(&finding->fix, "ktstr kernel fetch");
}

/* One in /boot, of this machine or of a tree. */
static void judge_boot(const struct doctor_env *env, struct finding *finding)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	int r = kernel_image_find(env->root, env->arch.s, &path);

	if (r > 0) {
		strbuf_addf(&text, "/%s", path.s);
		judge_image(kernel_image_option(env->root, path.s, "SCHED_CLASS_EXT"), text.s,
			    finding);
	} else if (r == -EACCES) {
		finding_unusable(finding, "no permission to read /%s", path.s);
		strbuf_addf(&text, "chmod a+r /%s", path.s);
		if (fix_is_plain(path.s))
			fix_as_root(env, finding, CAP_FOWNER, text.s);
	} else {
		finding_unusable(finding, "no kernel to boot: none in the environment, the cache, "
					  "build trees or /boot");
		fix_fetch(env, finding);
	}
}

void probe_kernel(const struct doctor_env *env, struct finding *finding)
{
	const struct doctor_trials *t = &env->trials;

	if (!t->done || t->kernel == -ENOENT)
		judge_boot(env, finding);
	else if (t->kernel == 0)
		judge_image(t->kernel_sched_ext, t->kernel_words.s, finding);
	else
		finding_unusable(finding, "%s", t->kernel_words.s);
}
