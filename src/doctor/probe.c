// SPDX-License-Identifier: GPL-2.0-only
#include "doctor/probe.h"

#include <string.h>

void probe_missing(const struct doctor_env *env, const char *what, const char *option,
		   struct finding *finding)
{
	switch (kconfig_state(&env->kconfig, option)) {
	case KCONFIG_UNSET:
	case KCONFIG_NO:
		finding_unusable(
			finding,
			"this kernel is built without CONFIG_%s; only another kernel has it",
			option);
		break;
	case KCONFIG_UNKNOWN:
		finding_unusable(finding, "this kernel shows no %s; it takes CONFIG_%s", what,
				 option);
		break;
	case KCONFIG_MODULE:
	case KCONFIG_YES:
	case KCONFIG_VALUE:
		finding_unusable(finding, "CONFIG_%s is set, but this kernel shows no %s", option,
				 what);
		break;
	}
}

void probe_unreadable(const char *path, int r, struct finding *finding)
{
	if (r == 0)
		finding_unusable(finding, "/%s is missing", path);
	else
		finding_unusable(finding, "cannot read /%s: %s", path, strerror(-r));
}

void probe_senseless(const char *path, struct finding *finding)
{
	finding_unusable(finding, "/%s does not hold what it should", path);
}

void probe_not_tried(struct finding *finding)
{
	finding_unknown(finding, "not probed (--sysroot)");
}
