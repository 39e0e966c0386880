/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands for the user to type. A command is added only when it would work here: with the
 * privilege at hand or to be had, with the programs it needs installed or installable. Otherwise
 * the functions add nothing and return false.
 */
#ifndef DOCTOR_FIX_H
#define DOCTOR_FIX_H

#include "doctor/caps.h"
#include "doctor/env.h"
#include "doctor/finding.h"

/* As root, who needs the capability @cap for it: prefixed with sudo or su when we are not. */
bool fix_as_root(const struct doctor_env *env, struct finding *finding, int cap,
		 const char *command);

/* Installs a Debian package. */
bool fix_package(const struct doctor_env *env, struct finding *finding, const char *package);

/* "kernel.task_delayacct=1" */
bool fix_sysctl(const struct doctor_env *env, struct finding *finding, int cap,
		const char *setting);

/* Gives this program every capability it can use; only when @cap is among those to be had. */
bool fix_capability(const struct doctor_env *env, struct finding *finding, enum doctor_cap cap);

/* Adds a parameter, of characters that mean nothing to sed, to the kernel's command line, and
 * restarts. */
bool fix_boot(const struct doctor_env *env, struct finding *finding, const char *parameter);

/* Whether a path can stand in a command without quotes. */
bool fix_is_plain(const char *path);

#endif
