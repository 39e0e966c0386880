/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the probes judge: read once, from the tree and (on this machine) from trials. Probes read
 * further files through the root, but make no system calls about this machine, so that each can be
 * tested with any machine one can think of.
 */
#ifndef DOCTOR_ENV_H
#define DOCTOR_ENV_H

#include <stdbool.h>
#include <stdint.h>

#include "doctor/trial.h"
#include "sys/cgroup.h"
#include "sys/kconfig.h"
#include "util/root.h"
#include "util/strbuf.h"
#include "util/strv.h"

/* How ktstr was called; strings are borrowed, and ignored unless the tree is this machine. */
struct doctor_call {
	const char *path; /* PATH */
};

struct doctor_env {
	const struct root *root;
	struct strv path; /* where programs are looked for, below the root */

	bool self_known; /* the tree says who we are: the next five are meaningful */
	uint32_t uid;
	uint64_t caps;     /* effective */
	uint64_t bounding; /* what we could ever get */
	bool no_new_privs;
	bool user_ns; /* capabilities count only inside our user namespace */
	bool pid_ns;  /* only the processes of our PID namespace can be seen */

	struct strbuf release;
	struct strbuf arch;   /* as uname -m; "" when unknown */
	struct strbuf exe;    /* this program; "" when unknown */
	struct strbuf mounts; /* text of mountinfo */
	struct kconfig kconfig;
	struct cgroup_layout cgroup;
	struct doctor_trials trials;
};

/* Reads the tree and makes the trials. @env is initialised here. */
void doctor_env_init(struct doctor_env *env, const struct root *root,
		     const struct doctor_call *call);
void doctor_env_done(struct doctor_env *env);

/* Capability number, as CAP_SYS_PTRACE; false inside a user namespace. */
bool env_has_cap(const struct doctor_env *env, int cap);

/* The path of a program (a file somebody may execute) below the root, in @ret; false when it is
 * nowhere. */
bool env_find_program(const struct doctor_env *env, const char *name, struct strbuf *ret);
bool env_has_program(const struct doctor_env *env, const char *name);

/* The program that emulates machines like this one: "qemu-system-x86_64". */
const char *env_qemu_name(const struct doctor_env *env);

/* Whether the mount that @path (absolute) is on has @option, "ro". */
bool env_mount_has_option(const struct doctor_env *env, const char *path, const char *option);

#endif
