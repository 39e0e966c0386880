// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/proc_cgroup.h"

bool proc_cgroup_path(struct slice text, struct slice *ret_path)
{
	const struct slice mark = SLICE_LIT("0::");
	struct slice line, path;

	while (slice_line(&text, &line)) {
		if (!slice_starts(line, mark.s))
			continue;
		path = (struct slice){ line.s + mark.n, line.n - mark.n };
		if (!slice_trim(path).n)
			continue;
		*ret_path = path;
		return true;
	}
	return false;
}

static bool ends_in(struct slice s, struct slice suffix)
{
	return s.n >= suffix.n &&
	       slice_eq((struct slice){ s.s + s.n - suffix.n, suffix.n }, suffix);
}

/* Absolute, and each component the name of a folder. */
static bool is_plain(struct slice path)
{
	struct slice part;

	if (!path.n || path.s[0] != '/' || memchr(path.s, '\0', path.n))
		return false;
	if (path.n == 1)
		return true;
	if (path.s[path.n - 1] == '/')
		return false;
	path = (struct slice){ path.s + 1, path.n - 1 };
	while (slice_cut(&path, '/', &part))
		if (!part.n || slice_is(part, ".") || slice_is(part, ".."))
			return false;
	return true;
}

enum cgroup_path_kind cgroup_path_kind(struct slice path)
{
	if (ends_in(path, SLICE_LIT(" (deleted)")))
		return CGROUP_PATH_DELETED;
	if (slice_is(path, "/..") || slice_starts(path, "/../"))
		return CGROUP_PATH_OUTSIDE;
	return is_plain(path) ? CGROUP_PATH_USABLE : CGROUP_PATH_ODD;
}
