// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/cgroup_paths.h"

#include <string.h>

#include "sys/proc_cgroup.h"
#include "util/cleanup.h"

void cgroup_paths_init(struct cgroup_paths *paths, const struct root *root,
		       const struct cgroup_layout *layout)
{
	*paths = (struct cgroup_paths){ .root = root, .layout = layout };
	pthread_mutex_init(&paths->lock, NULL);
}

void cgroup_paths_done(struct cgroup_paths *paths, struct arena *arena)
{
	arena_absorb(arena, &paths->arena);
	vec_done(&paths->sorted);
	pthread_mutex_destroy(&paths->lock);
}

/* Only "domain" says that a process is in one group as a whole. */
static bool is_threaded(const struct cgroup_paths *paths, const char *folder)
{
	_cleanup_(strbuf_done) struct strbuf file = STRBUF_INIT, type = STRBUF_INIT;

	strbuf_addf(&file, "%s/cgroup.type", folder);
	return root_read_text(paths->root, file.s, &type) <= 0 || strcmp(type.s, "domain") != 0;
}

/* The top group has no type of its own; its processes can have threads in a threaded child. */
static bool has_threaded_child(const struct cgroup_paths *paths, const char *top)
{
	_cleanup_(strv_done) struct strv names = STRV_INIT;

	if (root_list(paths->root, top, &names) <= 0)
		return true;
	for (size_t i = 0; i < names.n; i++) {
		_cleanup_(strbuf_done) struct strbuf child = STRBUF_INIT, file = STRBUF_INIT;

		strbuf_addf(&child, "%s/%s", top, names.v[i]);
		strbuf_addf(&file, "%s/cgroup.type", child.s);
		if (root_exists(paths->root, file.s) && is_threaded(paths, child.s))
			return true;
	}
	return false;
}

static bool may_differ(const struct cgroup_paths *paths, struct slice path)
{
	_cleanup_(strbuf_done) struct strbuf folder = STRBUF_INIT;

	if (cgroup_path_kind(path) != CGROUP_PATH_USABLE ||
	    !cgroup_layout_folder(paths->layout, path, &folder))
		return true;
	return slice_is(path, "/") ? has_threaded_child(paths, folder.s)
				   : is_threaded(paths, folder.s);
}

static size_t find_place(const struct cgroup_paths *paths, struct slice path)
{
	size_t low = 0, high = paths->sorted.n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (slice_cmp(slice_of(paths->sorted.v[mid].path), path) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static struct cgroup_path add(struct cgroup_paths *paths, struct slice path)
{
	size_t at = find_place(paths, path);
	struct cgroup_path *v;

	if (at < paths->sorted.n && slice_is(path, paths->sorted.v[at].path))
		return paths->sorted.v[at];
	vec_reserve(&paths->sorted, 1);
	v = paths->sorted.v;
	memmove(v + at + 1, v + at, (paths->sorted.n - at) * sizeof(*v));
	paths->sorted.n++;
	v[at] = (struct cgroup_path){ .path = arena_strdup(&paths->arena, path),
				      .may_differ = may_differ(paths, path) };
	return v[at];
}

struct cgroup_path cgroup_paths_add(struct cgroup_paths *paths, struct slice path)
{
	struct cgroup_path found;

	pthread_mutex_lock(&paths->lock);
	found = add(paths, path);
	pthread_mutex_unlock(&paths->lock);
	return found;
}
