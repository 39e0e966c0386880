/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of probes.def: each judges what the environment shows. */
#ifndef DOCTOR_PROBE_H
#define DOCTOR_PROBE_H

#include "doctor/caps.h"
#include "doctor/env.h"
#include "doctor/finding.h"
#include "sys/psi.h"

enum controller_id {
#define CONTROLLER(id, name, v1_name, option) CONTROLLER_##id,
#include "doctor/controllers.def"
#undef CONTROLLER
	CONTROLLER_COUNT
};

enum proc_file_id {
#define PROC_FILE(id, name, option, key, ...) PROC_FILE_##id,
#include "doctor/proc_files.def"
#undef PROC_FILE
	PROC_FILE_COUNT
};

void probe_kconfig(const struct doctor_env *env, struct finding *finding);
void probe_lockdown(const struct doctor_env *env, struct finding *finding);
void probe_proc_file(const struct doctor_env *env, struct finding *finding, enum proc_file_id id);
void probe_schedstat(const struct doctor_env *env, struct finding *finding);
void probe_schedstats_switch(const struct doctor_env *env, struct finding *finding);
void probe_taskstats(const struct doctor_env *env, struct finding *finding);
void probe_delayacct(const struct doctor_env *env, struct finding *finding);
void probe_psi(const struct doctor_env *env, struct finding *finding, enum psi_resource resource);
void probe_schedext(const struct doctor_env *env, struct finding *finding);
void probe_cgroup_mount(const struct doctor_env *env, struct finding *finding);
void probe_controller(const struct doctor_env *env, struct finding *finding, enum controller_id id);
void probe_processes(const struct doctor_env *env, struct finding *finding);
void probe_capability(const struct doctor_env *env, struct finding *finding, enum doctor_cap cap);
void probe_heap(const struct doctor_env *env, struct finding *finding);
void probe_bpf_capability(const struct doctor_env *env, struct finding *finding);
void probe_bpf_syscall(const struct doctor_env *env, struct finding *finding);
void probe_btf(const struct doctor_env *env, struct finding *finding);
void probe_task_iterator(const struct doctor_env *env, struct finding *finding);
void probe_kvm(const struct doctor_env *env, struct finding *finding);
void probe_qemu(const struct doctor_env *env, struct finding *finding);
void probe_kernel(const struct doctor_env *env, struct finding *finding);
void probe_compiler(const struct doctor_env *env, struct finding *finding);
void probe_static_libc(const struct doctor_env *env, struct finding *finding);

/* Whether /proc shows us every process of the machine. If not, or if nothing tells, it is concluded
 * which of them are what @manner says ("readable"). */
bool probe_sees_others(const struct doctor_env *env, const char *manner, struct finding *finding);

/* Concludes that @what is missing from the kernel, by what its configuration says about @option
 * (without CONFIG_). */
void probe_missing(const struct doctor_env *env, const char *what, const char *option,
		   struct finding *finding);

/* Concludes that @path could not be read: @r is 0 or -errno. */
void probe_unreadable(const char *path, int r, struct finding *finding);

/* Concludes that @path was read, but does not hold what it should. */
void probe_senseless(const char *path, struct finding *finding);

/* For probes that need a trial. */
void probe_not_tried(struct finding *finding);

#endif
