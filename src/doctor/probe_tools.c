// SPDX-License-Identifier: GPL-2.0-only
/* What an author of tests needs. */
#include "doctor/fix.h"
#include "doctor/probe.h"
#include "util/cleanup.h"

void probe_compiler(const struct doctor_env *env, struct finding *finding)
{
	static const char *const names[] = { "cc", "gcc", "clang" };
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!env_find_program(env, names[i], &path))
			continue;
		finding_usable(finding, "/%s", path.s);
		return;
	}
	finding_unusable(finding, "not installed");
	fix_package(env, finding, "gcc");
}

void probe_static_libc(const struct doctor_env *env, struct finding *finding)
{
	_cleanup_(strv_done) struct strv places = STRV_INIT;

	strv_addf(&places, "usr/lib/%s-linux-gnu/libc.a", env->arch.s);
	strv_add(&places, "usr/lib64/libc.a");
	strv_add(&places, "usr/lib/libc.a");
	for (size_t i = 0; i < places.n; i++) {
		if (!root_exists(env->root, places.v[i]))
			continue;
		finding_usable(finding, "/%s", places.v[i]);
		return;
	}
	finding_unusable(finding, "libc.a is not installed");
	fix_package(env, finding, "libc6-dev");
}
