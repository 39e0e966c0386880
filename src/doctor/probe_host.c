// SPDX-License-Identifier: GPL-2.0-only
/* Configuration, pressure, sched_ext. */
#include "doctor/fix.h"
#include "doctor/probe.h"
#include "sys/psi.h"
#include "sys/schedext.h"

void probe_kconfig(const struct doctor_env *env, struct finding *finding)
{
	if (env->kconfig.source.len)
		finding_usable(finding, "from /%s", env->kconfig.source.s);
	else if (env->release.len)
		finding_limited(finding, "neither /proc/config.gz nor /boot/config-%s can be read",
				env->release.s);
	else
		finding_limited(finding, "/proc/config.gz cannot be read");
}

static void judge_psi_off(const struct doctor_env *env, struct finding *finding)
{
	finding_unusable(finding, "off since boot; start the kernel with psi=1");
	fix_boot(env, finding, "psi=1");
}

static void judge_psi_missing(const struct doctor_env *env, enum psi_resource resource,
			      struct finding *finding)
{
	enum kconfig_state irq = kconfig_state(&env->kconfig, "IRQ_TIME_ACCOUNTING");

	if (resource == PSI_IRQ &&
	    (irq == KCONFIG_NO || irq == KCONFIG_UNSET || root_exists(env->root, "proc/pressure")))
		probe_missing(env, "such pressure", "IRQ_TIME_ACCOUNTING", finding);
	else
		probe_missing(env, "pressure", "PSI", finding);
}

void probe_psi(const struct doctor_env *env, struct finding *finding, enum psi_resource resource)
{
	struct psi psi;

	psi_read_host(env->root, &env->kconfig, &psi);
	switch (psi.resource[resource].absence) {
	case ABSENCE_NONE:
		finding_usable(finding, "readable");
		return;
	case ABSENCE_DISABLED:
		judge_psi_off(env, finding);
		return;
	case ABSENCE_UNSUPPORTED:
		judge_psi_missing(env, resource, finding);
		return;
	case ABSENCE_PERMISSION:
	case ABSENCE_NOT_COVERED:
	case ABSENCE_ENDED:
	case ABSENCE_ERROR:
	case ABSENCE_COUNT:
		finding_unusable(finding, "/proc/pressure/%s: %s", psi_resource_name(resource),
				 absence_words(psi.resource[resource].absence));
		return;
	}
}

void probe_schedext(const struct doctor_env *env, struct finding *finding)
{
	struct schedext ext;

	schedext_read(env->root, &ext);
	if (ext.absence)
		probe_missing(env, "sched_ext", "SCHED_CLASS_EXT", finding);
	else if (ext.absent.state)
		finding_unusable(finding, "its state: %s", absence_words(ext.absent.state));
	else
		finding_usable(finding, "%s", ext.state);
}
