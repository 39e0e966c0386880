// expect: enum-conversion
// SPDX-License-Identifier: GPL-2.0-only
#include "doctor/probe.h"

#ifdef WRONG
#define ARGUMENT PSI_CPU
#else
#define ARGUMENT CONTROLLER_CPU
#endif

void judge(const struct doctor_env *env, struct finding *finding);

void judge(const struct doctor_env *env, struct finding *finding)
{
	probe_controller(env, finding, ARGUMENT);
}
