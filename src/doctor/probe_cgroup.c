// SPDX-License-Identifier: GPL-2.0-only
#include <linux/capability.h>
#include <string.h>

#include "doctor/fix.h"
#include "doctor/probe.h"
#include "util/cleanup.h"
#include "util/parse.h"

void probe_cgroup_mount(const struct doctor_env *env, const char *argument, struct finding *finding)
{
	const struct cgroup_layout *layout = &env->cgroup;

	(void)argument;
	switch (layout->mode) {
	case CGROUP_PURE:
	case CGROUP_HYBRID:
		if (strcmp(layout->subtree.s, "/") != 0)
			finding_limited(finding, "/%s shows only the groups below %s",
					layout->point.s, layout->subtree.s);
		else
			finding_usable(finding, "mounted at /%s%s", layout->point.s,
				       layout->v1.n ? ", beside version 1" : "");
		break;
	case CGROUP_LEGACY:
		finding_unusable(finding, "only version 1 is mounted");
		if (fix_as_root(env, finding, CAP_SYS_ADMIN, "mkdir -p /run/cgroup2"))
			fix_as_root(env, finding, CAP_SYS_ADMIN,
				    "mount -t cgroup2 cgroup2 /run/cgroup2");
		break;
	case CGROUP_NONE:
		if (!root_exists(env->root, "sys/fs/cgroup")) {
			probe_missing(env, "control groups", "CGROUPS", finding);
			break;
		}
		finding_unusable(finding, "not mounted");
		fix_as_root(env, finding, CAP_SYS_ADMIN, "mount -t cgroup2 cgroup2 /sys/fs/cgroup");
		break;
	}
}

static const struct controller {
	const char *name, *v1_name, *option;
} controllers[] = {
	{ "cpu", "cpu", "CGROUP_SCHED" },  { "cpuset", "cpuset", "CPUSETS" },
	{ "memory", "memory", "MEMCG" },   { "io", "blkio", "BLK_CGROUP" },
	{ "pids", "pids", "CGROUP_PIDS" },
};

static const struct controller *find_controller(const char *name)
{
	const struct controller *c = controllers;

	while (strcmp(c->name, name) != 0)
		c++;
	return c;
}

/* Column @column (1..) of the line of a controller in /proc/cgroups: false when not to be had. */
static bool read_proc_cgroups(const struct doctor_env *env, const char *v1_name, int column,
			      uint64_t *ret)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct slice rest, line, word;

	if (root_read(env->root, "proc/cgroups", ROOT_CAP_VALUE, &text) <= 0)
		return false;
	rest = strbuf_slice(&text);
	while (slice_cut(&rest, '\n', &line)) {
		if (!slice_word(&line, &word) || !slice_is(word, v1_name))
			continue;
		while (column-- > 0)
			if (!slice_word(&line, &word))
				return false;
		return parse_u64(word, 0, UINT64_MAX, ret) == 0;
	}
	return false;
}

/* Only at the top: further down a group that has processes itself cannot do it. The top is the one
 * group without a type. */
static void fix_enable(const struct doctor_env *env, const char *controller,
		       struct finding *finding)
{
	_cleanup_(strbuf_done) struct strbuf type = STRBUF_INIT, command = STRBUF_INIT;

	strbuf_addf(&type, "%s/cgroup.type", env->cgroup.point.s);
	strbuf_addf(&command, "sh -c \"echo +%s > /%s/cgroup.subtree_control\"", controller,
		    env->cgroup.point.s);
	if (!root_exists(env->root, type.s) && fix_is_plain(env->cgroup.point.s))
		fix_as_root(env, finding, CAP_SYS_ADMIN, command.s);
}

/* A controller leaves a v1 hierarchy that nobody uses as soon as that is unmounted. */
static void judge_v1(const struct doctor_env *env, const struct controller *c, const char *point,
		     struct finding *finding)
{
	_cleanup_(strbuf_done) struct strbuf command = STRBUF_INIT, parameter = STRBUF_INIT;
	uint64_t groups;

	strbuf_addf(&command, "umount /%s", point);
	strbuf_addf(&parameter, "cgroup_no_v1=%s", c->v1_name);
	if (env->cgroup.mode == CGROUP_HYBRID && fix_is_plain(point) &&
	    read_proc_cgroups(env, c->v1_name, 2, &groups) && groups == 1) {
		finding_unusable(finding, "held by version 1 at /%s, unused there", point);
		if (fix_as_root(env, finding, CAP_SYS_ADMIN, command.s))
			fix_enable(env, c->name, finding);
		return;
	}
	finding_unusable(finding, "held by version 1 at /%s; start the kernel with %s", point,
			 parameter.s);
	fix_boot(env, finding, parameter.s);
}

void probe_controller(const struct doctor_env *env, const char *argument, struct finding *finding)
{
	const struct controller *c = find_controller(argument);
	const char *v1 = cgroup_layout_v1_point(&env->cgroup, c->v1_name);
	uint64_t on;

	if (cgroup_layout_enabled(&env->cgroup, c->name)) {
		finding_usable(finding, "enabled for groups below the top");
	} else if (cgroup_layout_has(&env->cgroup, c->name)) {
		finding_limited(finding, "available, but not enabled for groups below the top");
		fix_enable(env, c->name, finding);
	} else if (v1) {
		judge_v1(env, c, v1, finding);
	} else if (read_proc_cgroups(env, c->v1_name, 3, &on) && !on) {
		finding_unusable(finding, "off since boot by the parameter cgroup_disable=%s",
				 c->v1_name);
	} else if (!env->cgroup.point.len) {
		finding_unusable(finding, "needs cgroup v2");
	} else if (strcmp(env->cgroup.subtree.s, "/") != 0 ||
		   kconfig_state(&env->kconfig, c->option) == KCONFIG_YES) {
		finding_unusable(finding, "not handed down to the groups we can see");
	} else {
		probe_missing(env, "such controller", c->option, finding);
	}
}
