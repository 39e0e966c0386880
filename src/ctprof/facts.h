/* SPDX-License-Identifier: GPL-2.0-only */
/* What has to be known about the host before and after its threads are read. Private to the
 * capture. */
#ifndef CTPROF_FACTS_H
#define CTPROF_FACTS_H

#include <stdbool.h>

#include "ctprof/snapshot.h"
#include "ctprof/taskstats_fill.h"
#include "sys/kconfig.h"
#include "sys/proc_task.h"
#include "util/absence.h"
#include "util/root.h"

/* Workers that leave the CPUs under load alone: at least one, at most half of the CPUs and one. */
unsigned facts_jobs(const struct root *root);

/* Numbers of threads in this /proc are those of our own system calls: not so when /proc belongs to
 * another pid namespace. */
bool facts_numbers_are_ours(const struct root *root);

/* Why a kernel that prints no schedstats does not. */
enum absence facts_schedstats_off(const struct root *root);

/* Asks taskstats about ourselves, for whom nothing can be zero that is accounted. */
struct delay_accounting facts_delay_accounting(const struct root *root,
					       const struct kconfig *config);

/* When the oldest process that has a delay began, of all on this host: accounting was on by then.
 * In clock ticks after boot; UINT64_MAX when there is none. Costs a question per process. */
uint64_t facts_covered_from(const struct proc_dir *proc);

/* How many threads are kept from us because /proc hides the processes of others (hidepid): 0 when
 * the first process, which every pid namespace has, is seen; else the difference to what the kernel
 * counts, at least 1. */
uint64_t facts_hidden_threads(const struct root *root, bool sees_first, uint64_t seen);

/* Pressure of the host. Files that /proc does not show (subset=pid) are no fault of the kernel. */
void facts_pressure(const struct root *root, const struct kconfig *config, struct psi *ret);

/* boot_id and pidns. */
void facts_boot(const struct root *root, struct snapshot *s);

/* The process that @tid is a thread of: 1, 0 when there is none, -errno. */
int facts_process_of(const struct root *root, uint32_t tid, uint32_t *ret_tgid);

#endif
