// SPDX-License-Identifier: GPL-2.0-only
/* The files and switches that the counters of threads come from. */
#include <errno.h>
#include <string.h>

#include "doctor/fix.h"
#include "doctor/probe.h"
#include "util/cleanup.h"
#include "util/parse.h"

static const struct proc_file {
	const char *name;
	const char *option;
	const char *key;
	int caps[2]; /* 0 (CAP_CHOWN, which none needs): no more */
} files[PROC_FILE_COUNT] = {
#define PROC_FILE(id, name, option, key, ...)                                                      \
	[PROC_FILE_##id] = { name, option, key, { __VA_ARGS__ } },
#include "doctor/proc_files.def"
#undef PROC_FILE
};

/* Our own file was read: what about those of other users? */
static void judge_access(const struct doctor_env *env, const struct proc_file *file,
			 struct finding *finding)
{
	for (size_t i = 0; i < ARRAY_SIZE(file->caps) && file->caps[i]; i++) {
		if (!env->self_known) {
			finding_unknown(finding,
					"readable; nothing tells whether for other users, too");
			return;
		}
		if (env_has_cap(env, file->caps[i]))
			continue;
		finding_limited(finding, "readable for our own processes only");
		fix_capability(env, finding, (enum doctor_cap)file->caps[i]);
		return;
	}
	if (probe_sees_others(env, "readable", finding))
		finding_usable(finding, "readable for every process");
}

/* A line "KEY : NUMBER", whatever comes behind the number. */
static bool has_key(struct slice text, const char *wanted)
{
	struct slice line, key, value;

	while (slice_cut(&text, '\n', &line))
		if (slice_split(line, ':', &key, &value) && slice_is(key, wanted) && value.n &&
		    value.s[0] >= '0' && value.s[0] <= '9')
			return true;
	return false;
}

/* "PID (NAME) STATE PARENT ...", where the name may hold anything. */
static bool is_stat(struct slice text)
{
	const char *end = memrchr(text.s, ')', text.n);
	struct slice pid, name, state, parent, rest;
	uint32_t number;

	if (!end)
		return false;
	name = (struct slice){ text.s, (size_t)(end - text.s) };
	rest = (struct slice){ end + 1, text.n - name.n - 1 };
	return slice_word(&name, &pid) && parse_u32(pid, 0, UINT32_MAX, &number) == 0 &&
	       slice_starts(slice_trim(name), "(") && slice_word(&rest, &state) && state.n == 1 &&
	       slice_word(&rest, &parent) && parse_u32(parent, 0, UINT32_MAX, &number) == 0;
}

void probe_proc_file(const struct doctor_env *env, struct finding *finding, enum proc_file_id id)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	const struct proc_file *file = &files[id];
	int r;

	strbuf_addf(&path, "proc/self/%s", file->name);
	r = root_read(env->root, path.s, ROOT_CAP_FILE, &text);
	if (r < 0)
		probe_unreadable(path.s, r, finding);
	else if (r == 0)
		probe_missing(env, file->name, file->option, finding);
	else if (*file->key ? has_key(strbuf_slice(&text), file->key)
			    : is_stat(strbuf_slice(&text)))
		judge_access(env, file, finding);
	else
		probe_senseless(path.s, finding);
}

/* "RUN WAIT SLICES" */
static bool parse_schedstat(struct slice text, uint64_t ret[3])
{
	struct slice word;

	for (size_t i = 0; i < 3; i++)
		if (!slice_word(&text, &word) || parse_u64(word, 0, UINT64_MAX, &ret[i]) < 0)
			return false;
	return !slice_word(&text, &word);
}

void probe_schedstat(const struct doctor_env *env, struct finding *finding)
{
	static const struct proc_file anybody = {};
	static const char path[] = "proc/self/schedstat";
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	int r = root_read(env->root, path, ROOT_CAP_VALUE, &text);
	uint64_t values[3];

	if (r < 0) {
		probe_unreadable(path, r, finding);
	} else if (r == 0) {
		probe_missing(env, "schedstat", "SCHED_INFO", finding);
	} else if (!parse_schedstat(strbuf_slice(&text), values)) {
		probe_senseless(path, finding);
	} else if (values[0] || values[1] || values[2]) {
		judge_access(env, &anybody, finding);
	} else {
		/* Whoever reads his own has been given a CPU at least once. */
		finding_unusable(finding, "always zero while delay accounting is off");
		fix_sysctl(env, finding, CAP_SYS_ADMIN, "kernel.task_delayacct=1");
	}
}

/* 1 on, 0 off, -ENOENT not there, -errno. */
static int read_switch(const struct doctor_env *env, const char *path)
{
	uint64_t value;
	int r = root_read_u64(env->root, path, &value);

	return r > 0 ? value != 0 : r == 0 ? -ENOENT : r;
}

void probe_schedstats_switch(const struct doctor_env *env, struct finding *finding)
{
	static const char path[] = "proc/sys/kernel/sched_schedstats";
	int r = read_switch(env, path);

	if (r > 0) {
		finding_usable(finding, "on");
	} else if (r == 0) {
		finding_unusable(finding, "off; counts from the moment it is switched on");
		fix_sysctl(env, finding, CAP_SYS_ADMIN, "kernel.sched_schedstats=1");
	} else if (r == -ENOENT) {
		probe_missing(env, "such switch", "SCHEDSTATS", finding);
	} else {
		probe_unreadable(path, r, finding);
	}
}

void probe_delayacct(const struct doctor_env *env, struct finding *finding)
{
	static const char path[] = "proc/sys/kernel/task_delayacct";
	int r = read_switch(env, path);

	if (r > 0) {
		finding_usable(finding, "on");
	} else if (r == 0) {
		finding_unusable(finding, "off; counts for tasks started after it is switched on");
		fix_sysctl(env, finding, CAP_SYS_ADMIN, "kernel.task_delayacct=1");
	} else if (r == -ENOENT) {
		probe_missing(env, "such switch", "TASK_DELAY_ACCT", finding);
	} else {
		probe_unreadable(path, r, finding);
	}
}

void probe_taskstats(const struct doctor_env *env, struct finding *finding)
{
	const struct doctor_trials *t = &env->trials;

	if (!t->done) {
		probe_not_tried(finding);
	} else if (t->taskstats == 0 && env->pid_ns) {
		finding_limited(finding, "answers for this PID namespace only, version %u",
				t->taskstats_version);
	} else if (t->taskstats == 0) {
		finding_usable(finding, "answers, version %u", t->taskstats_version);
	} else if (t->taskstats == -EPERM) {
		finding_unusable(finding, "needs CAP_NET_ADMIN%s",
				 env->user_ns ? " outside of this user namespace" : "");
		fix_capability(env, finding, DOCTOR_CAP_NET_ADMIN);
	} else if (t->taskstats == -ENOENT) {
		probe_missing(env, "taskstats", "TASKSTATS", finding);
	} else {
		finding_unusable(finding, "asking for our own thread failed: %s",
				 strerror(-t->taskstats));
	}
}
