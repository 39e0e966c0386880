/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The counters and limits of one cgroup of version 2. */
#ifndef SYS_CGROUP_STATS_H
#define SYS_CGROUP_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "sys/cgroup.h"
#include "sys/kconfig.h"
#include "sys/keyed.h"
#include "sys/psi.h"
#include "util/absence.h"
#include "util/arena.h"
#include "util/compiler.h"
#include "util/root.h"

/* The C types of the forms in cgroup_stats.def. Where `absent` is set the value is zero (the
 * period: 100000, as the kernel has it by default). */
struct cgroup_number {
	enum absence absent;
	bool unlimited; /* the file says "max": LIMIT and QUOTA only, v is zero */
	uint64_t v;
};

struct cgroup_nice {
	enum absence absent;
	int32_t v;
};

struct cgroup_map {
	enum absence absent;
	struct keyed keyed;
};

typedef struct cgroup_number cgroup_form_COUNT, cgroup_form_LIMIT, cgroup_form_FLOOR,
	cgroup_form_OPTIONAL, cgroup_form_QUOTA, cgroup_form_PERIOD;
typedef struct cgroup_nice cgroup_form_NICE;
typedef struct cgroup_map cgroup_form_MAP;

#define CGROUP_PERIOD_DEFAULT 100000u

struct cgroup_stats {
	/* cpu_usage_usec, ..., pids_max */
#define CGROUP_VALUE(group, name, form, ...) cgroup_form_##form group##_##name;
#include "sys/cgroup_stats.def"
#undef CGROUP_VALUE
	struct psi psi;
};

/* Where to look, found once for all cgroups. */
struct cgroup_source {
	const struct root *root;            /* the tree that `layout` belongs to */
	const struct cgroup_layout *layout; /* of that tree: its v2 mount and controllers */
	const struct kconfig *config;       /* for the reasons of missing pressure files */
};

/* @path is a usable one of proc_cgroup.h (-EINVAL for another). Every member is written: the value,
 * or why it is not there. A file that is missing while its controller is not switched on for the
 * group is DISABLED; a group that was removed meanwhile is ENDED; the top group lacks most files:
 * UNSUPPORTED. 1; 0 when there is no such folder, and -errno when it cannot be looked at (-EXDEV:
 * it is in no part of the hierarchy that is mounted), with nothing written. @like (may be NULL) is
 * an earlier result of the same arena, whose names are shared. */
_must_check_ int cgroup_stats_read(const struct cgroup_source *source, const char *path,
				   const struct cgroup_stats *like, struct arena *arena,
				   struct cgroup_stats *ret);

/* Pure parts, for tests and fuzzing. What is malformed or missing is ERROR. */
void cgroup_parse_cpu_max(struct slice text, struct cgroup_number *ret_quota,
			  struct cgroup_number *ret_period);

/* A COUNT or OPTIONAL; a LIMIT; a FLOOR. */
void cgroup_parse_count(struct slice text, struct cgroup_number *ret);
void cgroup_parse_limit(struct slice text, struct cgroup_number *ret);
void cgroup_parse_floor(struct slice text, struct cgroup_number *ret);

/* The number under @key in lines of "KEY VALUE": 1, 0 without such a line, -EBADMSG when the line
 * holds anything else. A line without its line end is malformed. */
_must_check_ int cgroup_parse_key(struct slice text, const char *key, uint64_t *ret);

#endif
