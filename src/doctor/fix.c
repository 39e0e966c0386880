// SPDX-License-Identifier: GPL-2.0-only
#include "doctor/fix.h"

#include <string.h>

#include "util/cleanup.h"

static const struct {
	enum doctor_cap number;
	const char *name;
} caps[] = {
#define CAP(number, name) { DOCTOR_CAP_##number, name },
#include "doctor/caps.def"
#undef CAP
};

/* Whether we are or can become a root who has @cap. */
static bool can_be_root(const struct doctor_env *env, int cap)
{
	if (!env->self_known || env->user_ns)
		return false;
	if (env->uid == 0)
		return env_has_cap(env, cap);
	return !env->no_new_privs && (env->bounding >> cap & 1);
}

bool fix_as_root(const struct doctor_env *env, struct finding *finding, int cap,
		 const char *command)
{
	if (!can_be_root(env, cap))
		return false;
	if (env->uid == 0)
		strv_add(&finding->fix, command);
	else if (env_has_program(env, "sudo"))
		strv_addf(&finding->fix, "sudo %s", command);
	else /* as at login: Debian keeps sbin out of the PATH of others */
		strv_addf(&finding->fix, "su - -c '%s'", command);
	return true;
}

bool fix_package(const struct doctor_env *env, struct finding *finding, const char *package)
{
	_cleanup_(strbuf_done) struct strbuf command = STRBUF_INIT;

	if (!env_has_program(env, "apt-get"))
		return false;
	strbuf_addf(&command, "apt-get install %s", package);
	return fix_as_root(env, finding, CAP_CHOWN, command.s);
}

static bool fix_program(const struct doctor_env *env, struct finding *finding, const char *program,
			const char *package)
{
	return env_has_program(env, program) || fix_package(env, finding, package);
}

bool fix_sysctl(const struct doctor_env *env, struct finding *finding, int cap, const char *setting)
{
	_cleanup_(strbuf_done) struct strbuf command = STRBUF_INIT;

	strbuf_addf(&command, "sysctl %s", setting);
	if (env_mount_has_option(env, "/proc/sys", "ro")) {
		strbuf_addstr(&finding->why, "; /proc/sys is read-only here");
		return false;
	}
	if (!can_be_root(env, cap))
		return false;
	return fix_program(env, finding, "sysctl", "procps") &&
	       fix_as_root(env, finding, cap, command.s);
}

bool fix_is_plain(const char *path)
{
	return path[0] && path[strspn(path, "abcdefghijklmnopqrstuvwxyz"
					    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/_.,:+-")] == '\0';
}

bool fix_capability(const struct doctor_env *env, struct finding *finding, enum doctor_cap cap)
{
	_cleanup_(strbuf_done) struct strbuf command = STRBUF_INIT;
	const char *separator = " ";

	/* Root has what the bounding set leaves; setcap could not add to it. The others run into
	 * the same limit: a program with more in its file than in the set does not start. */
	if (env->uid == 0 || !can_be_root(env, CAP_SETFCAP) || !(env->bounding >> cap & 1) ||
	    !fix_is_plain(env->exe.s) || env_mount_has_option(env, env->exe.s, "nosuid"))
		return false;
	strbuf_addstr(&command, "setcap");
	for (size_t i = 0; i < ARRAY_SIZE(caps); i++) {
		if (!(env->bounding >> caps[i].number & 1))
			continue;
		strbuf_addf(&command, "%scap_%s", separator, caps[i].name);
		separator = ",";
	}
	strbuf_addf(&command, "+ep %s", env->exe.s);
	return fix_program(env, finding, "setcap", "libcap2-bin") &&
	       fix_as_root(env, finding, CAP_SETFCAP, command.s);
}

/* Whether /etc/default/grub has the line that the command changes. */
static bool has_grub_line(const struct doctor_env *env)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct slice rest, line;

	if (root_read(env->root, "etc/default/grub", ROOT_CAP_VALUE, &text) <= 0)
		return false;
	rest = strbuf_slice(&text);
	while (slice_cut(&rest, '\n', &line))
		if (slice_starts(line, "GRUB_CMDLINE_LINUX=\""))
			return env_has_program(env, "update-grub");
	return false;
}

bool fix_boot(const struct doctor_env *env, struct finding *finding, const char *parameter)
{
	_cleanup_(strbuf_done) struct strbuf command = STRBUF_INIT;

	if (!has_grub_line(env))
		return false;
	/* Typed twice it must not add the parameter twice. */
	strbuf_addf(&command, "sed -i \"/%s/b;s/^GRUB_CMDLINE_LINUX=./&%s /\" /etc/default/grub",
		    parameter, parameter);
	return fix_as_root(env, finding, CAP_SYS_BOOT, command.s) &&
	       fix_as_root(env, finding, CAP_SYS_BOOT, "update-grub") &&
	       fix_as_root(env, finding, CAP_SYS_BOOT, "reboot");
}
