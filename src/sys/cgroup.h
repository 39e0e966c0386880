/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where cgroup v2 is mounted and which controllers it has. Found through mountinfo: hybrid hosts
 * mount it beside the v1 hierarchies, and each controller belongs to one version only.
 */
#ifndef SYS_CGROUP_H
#define SYS_CGROUP_H

#include <stdbool.h>

#include "util/compiler.h"
#include "util/root.h"
#include "util/slice.h"
#include "util/strbuf.h"
#include "util/strv.h"
#include "util/vec.h"

enum cgroup_mode {
	CGROUP_NONE,   /* nothing mounted */
	CGROUP_LEGACY, /* v1 only */
	CGROUP_HYBRID, /* v2 beside v1 */
	CGROUP_PURE,   /* v2 only */
};

struct cgroup_v1 {
	const char *controller; /* static */
	char *point;            /* below the root, "sys/fs/cgroup/cpu" */
};

struct cgroup_layout {
	enum cgroup_mode mode;
	struct strbuf point;   /* of v2, below the root: "sys/fs/cgroup"; "" when there is none */
	struct strbuf subtree; /* what of the hierarchy is mounted there: "/" for all of it */
	struct strv available; /* cgroup.controllers, ascending */
	struct strv enabled;   /* cgroup.subtree_control: what child groups have */
	VEC(struct cgroup_v1) v1;
};

#define CGROUP_LAYOUT_INIT                                                                         \
	{                                                                                          \
		.point = STRBUF_INIT, .subtree = STRBUF_INIT                                       \
	}

void cgroup_layout_done(struct cgroup_layout *layout);

/* @layout is initialised and empty. 1; 0 or -errno when mountinfo cannot be read. Of several v2
 * mounts one that shows the whole hierarchy is preferred, then the first; one whose files are
 * hidden by a later mount does not count. */
_must_check_ int cgroup_layout_read(const struct root *root, struct cgroup_layout *layout);

/* The same for a folder that is known to be a v2 hierarchy, whole, whatever is mounted: "cgroup".
 */
void cgroup_layout_at(const struct root *root, const char *point, struct cgroup_layout *layout);

/* Appends where the group at @path, as threads have it, is below the root. False when there is no
 * such place: nothing is mounted, or only another part of the hierarchy. */
bool cgroup_layout_folder(const struct cgroup_layout *layout, struct slice path,
			  struct strbuf *out);

bool cgroup_layout_has(const struct cgroup_layout *layout, const char *controller);
bool cgroup_layout_enabled(const struct cgroup_layout *layout, const char *controller);

/* Where v1 holds @controller (its v1 name: "blkio"), or NULL. */
const char *cgroup_layout_v1_point(const struct cgroup_layout *layout, const char *controller);

#endif
