// SPDX-License-Identifier: GPL-2.0-only
/* The files and switches that the counters of threads come from. */
#include <errno.h>
#include <linux/capability.h>
#include <string.h>

#include "doctor/fix.h"
#include "doctor/probe.h"
#include "util/cleanup.h"

/* Files in /proc/PID, the option that brings them, and what reading those of others takes. */
static const struct proc_file {
	const char *name;
	const char *option;
	int caps[2]; /* 0 (CAP_CHOWN, which none needs): no more */
} files[] = {
	{ "stat", "PROC_FS", {} },
	{ "status", "PROC_FS", {} },
	{ "sched", "SCHED_DEBUG", {} },
	{ "io", "TASK_IO_ACCOUNTING", { CAP_SYS_PTRACE, CAP_DAC_READ_SEARCH } },
	{ "smaps_rollup", "PROC_PAGE_MONITOR", { CAP_SYS_PTRACE } },
};

static const struct proc_file *find_file(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (strcmp(files[i].name, name) == 0)
			return &files[i];
	return NULL;
}

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
		fix_capability(env, finding, file->caps[i]);
		return;
	}
	finding_usable(finding, "readable for every process");
}

void probe_proc_file(const struct doctor_env *env, const char *argument, struct finding *finding)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	const struct proc_file *file = find_file(argument);
	int r;

	strbuf_addf(&path, "proc/self/%s", argument);
	r = root_read(env->root, path.s, ROOT_CAP_FILE, &text);
	if (r < 0)
		probe_unreadable(path.s, r, finding);
	else if (r == 0)
		probe_missing(env, argument, file->option, finding);
	else if (!slice_trim(strbuf_slice(&text)).n)
		finding_unusable(finding, "/%s is empty", path.s);
	else
		judge_access(env, file, finding);
}

/* "RUN WAIT SLICES": whoever reads his own has been given a CPU at least once. */
void probe_schedstat(const struct doctor_env *env, const char *argument, struct finding *finding)
{
	static const char path[] = "proc/self/schedstat";
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	int r = root_read_text(env->root, path, &text);

	(void)argument;
	if (r < 0)
		probe_unreadable(path, r, finding);
	else if (r == 0)
		probe_missing(env, "schedstat", "SCHED_INFO", finding);
	else if (strcmp(text.s, "0 0 0") != 0)
		finding_usable(finding, "readable for every process");
	else {
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

void probe_schedstats_switch(const struct doctor_env *env, const char *argument,
			     struct finding *finding)
{
	static const char path[] = "proc/sys/kernel/sched_schedstats";
	int r = read_switch(env, path);

	(void)argument;
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

void probe_delayacct(const struct doctor_env *env, const char *argument, struct finding *finding)
{
	static const char path[] = "proc/sys/kernel/task_delayacct";
	int r = read_switch(env, path);

	(void)argument;
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

void probe_taskstats(const struct doctor_env *env, const char *argument, struct finding *finding)
{
	const struct doctor_trials *t = &env->trials;

	(void)argument;
	if (!t->done) {
		probe_not_tried(finding);
	} else if (t->taskstats == 0) {
		finding_usable(finding, "answers, version %u", t->taskstats_version);
	} else if (t->taskstats == -EPERM) {
		finding_unusable(finding, "needs CAP_NET_ADMIN%s",
				 env->user_ns ? " outside of this user namespace" : "");
		fix_capability(env, finding, CAP_NET_ADMIN);
	} else if (t->taskstats == -ENOENT) {
		probe_missing(env, "taskstats", "TASKSTATS", finding);
	} else {
		finding_unusable(finding, "asking for our own thread failed: %s",
				 strerror(-t->taskstats));
	}
}
