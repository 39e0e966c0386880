// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "doctor/fix.h"
#include "doctor/probe.h"
#include "util/cleanup.h"

void probe_cgroup_mount(const struct doctor_env *env, struct finding *finding)
{
	const struct cgroup_layout *layout = &env->cgroup;

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
} controllers[CONTROLLER_COUNT] = {
#define CONTROLLER(id, name, v1_name, option) [CONTROLLER_##id] = { name, v1_name, option },
#include "doctor/controllers.def"
#undef CONTROLLER
};

/* Whether /proc/cgroups ("NAME HIERARCHY GROUPS ENABLED") says so. */
static bool is_off_since_boot(const struct doctor_env *env, const char *v1_name)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct slice rest, line, name, enabled;

	if (root_read(env->root, "proc/cgroups", ROOT_CAP_VALUE, &text) <= 0)
		return false;
	rest = strbuf_slice(&text);
	while (slice_cut(&rest, '\n', &line)) {
		if (!slice_word(&line, &name) || !slice_is(name, v1_name))
			continue;
		for (int column = 0; column < 3; column++)
			if (!slice_word(&line, &enabled))
				return false;
		return slice_is(enabled, "0");
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

static const char *v1_point(const struct doctor_env *env, const struct controller *c)
{
	return cgroup_layout_has(&env->cgroup, c->name)
		       ? NULL
		       : cgroup_layout_v1_point(&env->cgroup, c->v1_name);
}

/* One start of the kernel serves all controllers, so each asks for the same. Unmounting v1 would be
 * quicker, but a hierarchy stays as long as anybody holds it, and nothing tells who does. */
static void fix_v1(const struct doctor_env *env, struct finding *finding)
{
	_cleanup_(strbuf_done) struct strbuf parameter = STRBUF_INIT;
	const char *separator = "cgroup_no_v1=";

	for (size_t i = 0; i < CONTROLLER_COUNT; i++) {
		if (!v1_point(env, &controllers[i]))
			continue;
		strbuf_addf(&parameter, "%s%s", separator, controllers[i].v1_name);
		separator = ",";
	}
	fix_boot(env, finding, parameter.s);
}

void probe_controller(const struct doctor_env *env, struct finding *finding, enum controller_id id)
{
	const struct controller *c = &controllers[id];
	const char *v1 = v1_point(env, c);

	if (cgroup_layout_enabled(&env->cgroup, c->name)) {
		finding_usable(finding, "enabled for groups below the top");
	} else if (cgroup_layout_has(&env->cgroup, c->name)) {
		finding_limited(finding, "available, but not enabled for groups below the top");
		fix_enable(env, c->name, finding);
	} else if (v1) {
		finding_unusable(finding,
				 "held by version 1 at /%s; start the kernel with cgroup_no_v1=%s",
				 v1, c->v1_name);
		fix_v1(env, finding);
	} else if (is_off_since_boot(env, c->v1_name)) {
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
