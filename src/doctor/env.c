// SPDX-License-Identifier: GPL-2.0-only
#include "doctor/env.h"

#include <limits.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "sys/mountinfo.h"
#include "util/cleanup.h"
#include "util/parse.h"

/* Where administration programs are even when the caller's PATH leaves them out. */
#define DEFAULT_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

static void add_path(struct doctor_env *env, const char *path)
{
	struct slice rest = slice_of(path), dir;

	while (slice_cut(&rest, ':', &dir))
		if (dir.n > 1 && dir.s[0] == '/')
			strv_addf(&env->path, "%.*s", (int)dir.n - 1, dir.s + 1);
}

/* 16 hexadecimal digits, as the kernel writes sets of capabilities. */
static bool parse_hex(struct slice text, uint64_t *ret)
{
	uint64_t value = 0;

	if (!text.n || text.n > 16)
		return false;
	for (size_t i = 0; i < text.n; i++) {
		static const char digits[] = "0123456789abcdef";
		const char *digit = text.s[i] ? strchr(digits, text.s[i]) : NULL;

		if (!digit)
			return false;
		value = value << 4 | (uint64_t)(digit - digits);
	}
	*ret = value;
	return true;
}

/* "REAL EFFECTIVE SAVED FS" */
static bool parse_effective_uid(struct slice uids, uint32_t *ret)
{
	struct slice real, effective;

	return slice_word(&uids, &real) && slice_word(&uids, &effective) &&
	       parse_u32(effective, 0, UINT32_MAX, ret) == 0;
}

/* Ours in a live tree, those of whoever recorded it otherwise. */
static void read_self(struct doctor_env *env)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct slice rest, line, key, value;
	bool uid = false, caps = false, bounding = false;

	if (root_read(env->root, "proc/self/status", ROOT_CAP_VALUE, &text) <= 0)
		return;
	rest = strbuf_slice(&text);
	while (slice_cut(&rest, '\n', &line)) {
		if (!slice_split(line, ':', &key, &value))
			continue;
		if (slice_is(key, "Uid"))
			uid = parse_effective_uid(value, &env->uid);
		else if (slice_is(key, "CapEff"))
			caps = parse_hex(value, &env->caps);
		else if (slice_is(key, "CapBnd"))
			bounding = parse_hex(value, &env->bounding);
		else if (slice_is(key, "NoNewPrivs"))
			env->no_new_privs = slice_is(value, "1");
	}
	env->self_known = uid && caps && bounding;
}

/* The initial user namespace maps every user to itself; so may others. */
static bool maps_every_user(const struct root *root)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct slice rest, word;
	static const char *const initial[] = { "0", "0", "4294967295" };

	if (root_read_text(root, "proc/self/uid_map", &text) <= 0)
		return true;
	rest = strbuf_slice(&text);
	for (size_t i = 0; i < ARRAY_SIZE(initial); i++)
		if (!slice_word(&rest, &word) || !slice_is(word, initial[i]))
			return false;
	return true;
}

/* The kernel numbers the initial namespaces the same on every machine (PROC_USER_INIT_INO,
 * PROC_PID_INIT_INO). Without a link it has no such namespaces, or the tree did not keep them. */
static void read_namespaces(struct doctor_env *env)
{
	_cleanup_(strbuf_done) struct strbuf link = STRBUF_INIT;

	if (root_readlink(env->root, "proc/self/ns/user", &link) > 0)
		env->user_ns = strcmp(link.s, "user:[4026531837]") != 0;
	else
		env->user_ns = !maps_every_user(env->root);
	if (root_readlink(env->root, "proc/self/ns/pid", &link) > 0)
		env->pid_ns = strcmp(link.s, "pid:[4026531836]") != 0;
}

static void read_exe(struct doctor_env *env)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path));

	if (n > 0)
		strbuf_add(&env->exe, path, (size_t)n);
}

static void read_machine(struct doctor_env *env)
{
	struct utsname uts;
	int r = root_read_text(env->root, "proc/sys/kernel/arch", &env->arch);

	if (r <= 0 && env->root->live && uname(&uts) == 0)
		strbuf_addstr(&env->arch, uts.machine);
	if (root_read_text(env->root, "proc/sys/kernel/osrelease", &env->release) <= 0 ||
	    memchr(env->release.s, '/', env->release.len))
		strbuf_reset(&env->release);
	if (root_read(env->root, "proc/self/mountinfo", ROOT_CAP_FILE, &env->mounts) <= 0)
		strbuf_reset(&env->mounts);
}

void doctor_env_init(struct doctor_env *env, const struct root *root,
		     const struct doctor_call *call)
{
	_cleanup_(strbuf_done) struct strbuf qemu = STRBUF_INIT, absolute = STRBUF_INIT;

	*env = (struct doctor_env){
		.root = root,
		.release = STRBUF_INIT,
		.arch = STRBUF_INIT,
		.exe = STRBUF_INIT,
		.mounts = STRBUF_INIT,
		.kconfig = KCONFIG_INIT,
		.cgroup = CGROUP_LAYOUT_INIT,
		.trials = DOCTOR_TRIALS_INIT,
	};
	if (root->live) {
		add_path(env, call->path);
		read_exe(env);
	}
	add_path(env, DEFAULT_PATH);
	read_self(env);
	read_namespaces(env);
	read_machine(env);
	/* What could not be read stays unknown, which the probes tell. */
	(void)!kconfig_read(root, &env->kconfig);
	(void)!cgroup_layout_read(root, &env->cgroup);
	if (env_find_program(env, env_qemu_name(env), &qemu))
		strbuf_addf(&absolute, "/%s", qemu.s);
	doctor_trials_run(root, absolute.s, &env->trials);
}

void doctor_env_done(struct doctor_env *env)
{
	strv_done(&env->path);
	strbuf_done(&env->release);
	strbuf_done(&env->arch);
	strbuf_done(&env->exe);
	strbuf_done(&env->mounts);
	kconfig_done(&env->kconfig);
	cgroup_layout_done(&env->cgroup);
	doctor_trials_done(&env->trials);
}

bool env_has_cap(const struct doctor_env *env, int cap)
{
	return !env->user_ns && (env->caps >> cap & 1);
}

static bool is_program(const struct root *root, const char *path)
{
	struct stat st;

	return root_stat(root, path, &st) > 0 && S_ISREG(st.st_mode) && (st.st_mode & 0111);
}

bool env_find_program(const struct doctor_env *env, const char *name, struct strbuf *ret)
{
	for (size_t i = 0; i < env->path.n; i++) {
		strbuf_reset(ret);
		strbuf_addf(ret, "%s/%s", env->path.v[i], name);
		if (is_program(env->root, ret->s))
			return true;
	}
	strbuf_reset(ret);
	return false;
}

bool env_has_program(const struct doctor_env *env, const char *name)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;

	return env_find_program(env, name, &path);
}

const char *env_qemu_name(const struct doctor_env *env)
{
	return strcmp(env->arch.s, "aarch64") == 0 ? "qemu-system-aarch64" : "qemu-system-x86_64";
}

static bool is_below(const char *path, const struct strbuf *point)
{
	if (strcmp(point->s, "/") == 0)
		return true;
	return strncmp(path, point->s, point->len) == 0 &&
	       (path[point->len] == '/' || path[point->len] == '\0');
}

bool env_mount_has_option(const struct doctor_env *env, const char *path, const char *option)
{
	struct slice rest = strbuf_slice(&env->mounts);
	struct mount mount;
	size_t longest = 0;
	bool has = false;

	while (mountinfo_next(&rest, &mount)) {
		_cleanup_(strbuf_done) struct strbuf point = STRBUF_INIT;

		mountinfo_unescape(mount.point, &point);
		/* Of two mounts on one folder the later one counts. */
		if (point.len < longest || !is_below(path, &point))
			continue;
		longest = point.len;
		has = mountinfo_has_option(mount.options, option) ||
		      mountinfo_has_option(mount.super_options, option);
	}
	return has;
}
