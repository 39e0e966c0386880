/* SPDX-License-Identifier: GPL-2.0-only */
/* What has to be known about the host before and after its threads are read. Private to the
 * capture. */
#ifndef CTPROF_FACTS_H
#define CTPROF_FACTS_H

#include <stdbool.h>

#include "ctprof/snapshot.h"
#include "ctprof/taskstats_fill.h"
#include "sys/kconfig.h"
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

/* boot_id and pidns. */
void facts_boot(const struct root *root, struct snapshot *s);

/* The process that @tid is a thread of: 1, 0 when there is none, -errno. */
int facts_process_of(const struct root *root, uint32_t tid, uint32_t *ret_tgid);

#endif
