// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/cgroup.h"

#include <stdlib.h>
#include <string.h>

#include "sys/mountinfo.h"
#include "util/cleanup.h"

static const char *const v1_controllers[] = {
#define CGROUP_V1(name) name,
#include "sys/cgroup_v1.def"
#undef CGROUP_V1
};

void cgroup_layout_done(struct cgroup_layout *layout)
{
	strbuf_done(&layout->point);
	strbuf_done(&layout->subtree);
	strv_done(&layout->available);
	strv_done(&layout->enabled);
	for (size_t i = 0; i < layout->v1.n; i++)
		free(layout->v1.v[i].point);
	vec_done(&layout->v1);
}

/* The mount point below the root: no leading slash, "." for the root itself. */
static void add_point(struct strbuf *out, struct slice escaped)
{
	struct slice below = escaped;

	while (below.n && below.s[0] == '/')
		below = (struct slice){ below.s + 1, below.n - 1 };
	if (below.n)
		mountinfo_unescape(below, out);
	else
		strbuf_addch(out, '.');
}

static void add_v1(struct cgroup_layout *layout, const struct mount *mount)
{
	for (size_t i = 0; i < ARRAY_SIZE(v1_controllers); i++) {
		struct strbuf point = STRBUF_INIT;

		if (!mountinfo_has_option(mount->super_options, v1_controllers[i]))
			continue;
		add_point(&point, mount->point);
		vec_push(&layout->v1,
			 (struct cgroup_v1){ v1_controllers[i], strbuf_steal(&point) });
	}
}

static bool has_cgroup_files(const struct root *root, const char *point)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/cgroup.controllers", point);
	return root_exists(root, path.s);
}

/* Takes @mount unless a better one is known. */
static void consider_v2(const struct root *root, struct cgroup_layout *layout,
			const struct mount *mount)
{
	_cleanup_(strbuf_done) struct strbuf point = STRBUF_INIT;
	bool known = layout->point.len > 0, whole = slice_is(mount->root, "/");

	if (known && (!whole || strcmp(layout->subtree.s, "/") == 0))
		return;
	add_point(&point, mount->point);
	if (!has_cgroup_files(root, point.s))
		return;
	strbuf_reset(&layout->point);
	strbuf_addslice(&layout->point, strbuf_slice(&point));
	strbuf_reset(&layout->subtree);
	mountinfo_unescape(mount->root, &layout->subtree);
}

static void read_names(const struct root *root, const char *point, const char *file,
		       struct strv *ret)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	struct slice rest, word;

	strbuf_addf(&path, "%s/%s", point, file);
	if (root_read_text(root, path.s, &text) <= 0)
		return;
	rest = strbuf_slice(&text);
	while (slice_word(&rest, &word))
		strv_addf(ret, "%.*s", (int)word.n, word.s);
	strv_sort(ret);
}

static void read_controllers(const struct root *root, struct cgroup_layout *layout)
{
	read_names(root, layout->point.s, "cgroup.controllers", &layout->available);
	read_names(root, layout->point.s, "cgroup.subtree_control", &layout->enabled);
}

int cgroup_layout_read(const struct root *root, struct cgroup_layout *layout)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	bool any_v1 = false;
	struct slice rest;
	struct mount mount;
	int r = root_read(root, "proc/self/mountinfo", ROOT_CAP_FILE, &text);

	if (r <= 0)
		return r;
	rest = strbuf_slice(&text);
	while (mountinfo_next(&rest, &mount)) {
		if (slice_is(mount.fstype, "cgroup2"))
			consider_v2(root, layout, &mount);
		if (slice_is(mount.fstype, "cgroup")) {
			any_v1 = true;
			add_v1(layout, &mount);
		}
	}
	if (!layout->point.len) {
		layout->mode = any_v1 ? CGROUP_LEGACY : CGROUP_NONE;
		return 1;
	}
	layout->mode = any_v1 ? CGROUP_HYBRID : CGROUP_PURE;
	read_controllers(root, layout);
	return 1;
}

void cgroup_layout_at(const struct root *root, const char *point, struct cgroup_layout *layout)
{
	layout->mode = CGROUP_PURE;
	strbuf_addstr(&layout->point, point);
	strbuf_addch(&layout->subtree, '/');
	read_controllers(root, layout);
}

bool cgroup_layout_folder(const struct cgroup_layout *layout, struct slice path, struct strbuf *out)
{
	size_t above = layout->subtree.len;

	if (!layout->point.len)
		return false;
	if (strcmp(layout->subtree.s, "/") == 0)
		above = 0;
	/* "/a" is above "/a/b" and "/a", not above "/ab". */
	if (!slice_starts(path, above ? layout->subtree.s : "") ||
	    (path.n > above && path.s[above] != '/'))
		return false;
	strbuf_addslice(out, strbuf_slice(&layout->point));
	if (path.n > above + 1)
		strbuf_add(out, path.s + above, path.n - above);
	return true;
}

static bool contains(const struct strv *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (strcmp(names->v[i], name) == 0)
			return true;
	return false;
}

bool cgroup_layout_has(const struct cgroup_layout *layout, const char *controller)
{
	return contains(&layout->available, controller);
}

bool cgroup_layout_enabled(const struct cgroup_layout *layout, const char *controller)
{
	return contains(&layout->enabled, controller);
}

const char *cgroup_layout_v1_point(const struct cgroup_layout *layout, const char *controller)
{
	for (size_t i = 0; i < layout->v1.n; i++)
		if (strcmp(layout->v1.v[i].controller, controller) == 0)
			return layout->v1.v[i].point;
	return NULL;
}
