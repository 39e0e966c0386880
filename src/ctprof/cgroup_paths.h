/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cgroups that threads are in, each path once, and whether the threads of a process there can
 * be in different ones. Safe to use from several threads.
 */
#ifndef CTPROF_CGROUP_PATHS_H
#define CTPROF_CGROUP_PATHS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "sys/cgroup.h"
#include "util/arena.h"
#include "util/root.h"
#include "util/slice.h"
#include "util/vec.h"

struct cgroup_path {
	const char *path;
	bool may_differ; /* its processes may have threads in other groups */
};

struct cgroup_paths {
	const struct root *root;
	const struct cgroup_layout *layout;
	pthread_mutex_t lock;
	VEC(struct cgroup_path) sorted; /* by path */
	struct arena arena;
};

void cgroup_paths_init(struct cgroup_paths *paths, const struct root *root,
		       const struct cgroup_layout *layout);
/* Keeps no path alive: @arena takes them over. */
void cgroup_paths_done(struct cgroup_paths *paths, struct arena *arena);

/* The one copy of @path. */
struct cgroup_path cgroup_paths_add(struct cgroup_paths *paths, struct slice path);

#endif
