// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/cgroup_stats.h"

#include <errno.h>
#include <stddef.h>

#include "sys/proc_cgroup.h"
#include "util/cleanup.h"
#include "util/parse.h"

/* One group while it is being read. */
struct group {
	const struct cgroup_source *source;
	const struct cgroup_stats *like; /* an earlier group, to share its names */
	struct arena *arena;
	struct strbuf dir; /* its folder below the root */
	struct strbuf path;
	struct strbuf text; /* of `file` */
	const char *file;   /* the last one read; several values come from one file */
	int outcome;        /* of reading it */
	struct strbuf controllers;
	bool knows_controllers;
};

#define GROUP_INIT                                                                                 \
	{                                                                                          \
		.dir = STRBUF_INIT, .path = STRBUF_INIT, .text = STRBUF_INIT,                      \
		.controllers = STRBUF_INIT                                                         \
	}

static void group_done(struct group *g)
{
	strbuf_done(&g->dir);
	strbuf_done(&g->path);
	strbuf_done(&g->text);
	strbuf_done(&g->controllers);
}

static int read_file(struct group *g, const char *file, struct strbuf *text)
{
	strbuf_reset(&g->path);
	strbuf_addf(&g->path, "%s/%s", g->dir.s, file);
	return root_read(g->source->root, g->path.s, ROOT_CAP_VALUE, text);
}

/* Whether the controller is on for this group. */
static bool has_controller(struct group *g, const char *controller)
{
	struct slice rest, word;

	if (!g->knows_controllers)
		(void)read_file(g, "cgroup.controllers", &g->controllers);
	g->knows_controllers = true;
	rest = strbuf_slice(&g->controllers);
	while (slice_word(&rest, &word))
		if (slice_is(word, controller))
			return true;
	return false;
}

/* A row of the list. */
struct place {
	const char *controller, *file, *key;
	size_t offset; /* of the value in struct cgroup_stats */
};

/* Why the group does not have what @controller offers. A group can only be given what all groups
 * above it have, so what the top of the tree has says what can be switched on at all. */
static enum absence why_missing(struct group *g, const char *controller)
{
	if (!cgroup_layout_has(g->source->layout, controller) || has_controller(g, controller))
		return ABSENCE_UNSUPPORTED;
	return ABSENCE_DISABLED;
}

/* ABSENCE_NONE: the file is in g->text. */
static enum absence load(struct group *g, const struct place *at)
{
	if (!g->file || strcmp(g->file, at->file) != 0) {
		g->file = at->file;
		g->outcome = read_file(g, at->file, &g->text);
	}
	switch (-g->outcome) {
	case 0:
		return why_missing(g, at->controller);
	case ENODEV: /* the group was removed between open and read */
		return ABSENCE_ENDED;
	}
	return absence_of(g->outcome);
}

static struct cgroup_number number_absent(enum absence why)
{
	return (struct cgroup_number){ .absent = why };
}

/* The files with keys are cpu.stat, of which each group has this line. The others come with the
 * controller. */
#define EVERY_GROUP_HAS "usage_usec"

static struct cgroup_number read_key(struct group *g, const struct place *at)
{
	struct slice text = strbuf_slice(&g->text);
	uint64_t v;
	int r = cgroup_parse_key(text, at->key, &v);

	if (r > 0)
		return (struct cgroup_number){ .v = v };
	if (r == 0 && cgroup_parse_key(text, EVERY_GROUP_HAS, &v) > 0)
		return number_absent(why_missing(g, at->controller));
	return number_absent(ABSENCE_ERROR);
}

static struct cgroup_number read_number(struct group *g, const struct place *at,
					void (*parse)(struct slice, struct cgroup_number *))
{
	struct cgroup_number ret = number_absent(load(g, at));

	if (ret.absent)
		return ret;
	if (at->key)
		return read_key(g, at);
	parse(strbuf_slice(&g->text), &ret);
	return ret;
}

/* read_FORM(): a value of that form. */

static struct cgroup_number read_COUNT(struct group *g, const struct place *at)
{
	return read_number(g, at, cgroup_parse_count);
}

static struct cgroup_number read_OPTIONAL(struct group *g, const struct place *at)
{
	return read_number(g, at, cgroup_parse_count);
}

static struct cgroup_number read_LIMIT(struct group *g, const struct place *at)
{
	return read_number(g, at, cgroup_parse_limit);
}

static struct cgroup_number read_FLOOR(struct group *g, const struct place *at)
{
	return read_number(g, at, cgroup_parse_floor);
}

static struct cgroup_number read_QUOTA(struct group *g, const struct place *at)
{
	struct cgroup_number ret = number_absent(load(g, at)), period;

	if (!ret.absent)
		cgroup_parse_cpu_max(strbuf_slice(&g->text), &ret, &period);
	return ret;
}

static struct cgroup_number read_PERIOD(struct group *g, const struct place *at)
{
	struct cgroup_number ret = { .absent = load(g, at), .v = CGROUP_PERIOD_DEFAULT }, quota;

	if (!ret.absent)
		cgroup_parse_cpu_max(strbuf_slice(&g->text), &quota, &ret);
	return ret;
}

static struct cgroup_nice read_NICE(struct group *g, const struct place *at)
{
	struct cgroup_nice ret = { .absent = load(g, at) };

	if (!ret.absent &&
	    parse_i32(slice_trim(strbuf_slice(&g->text)), INT32_MIN, INT32_MAX, &ret.v) < 0)
		ret.absent = ABSENCE_ERROR;
	return ret;
}

static struct cgroup_map read_MAP(struct group *g, const struct place *at)
{
	const struct cgroup_map *like = (const void *)((const char *)g->like + at->offset);
	struct cgroup_map ret = { .absent = load(g, at) };

	if (ret.absent)
		return ret;
	ret.keyed = keyed_parse(strbuf_slice(&g->text), &like->keyed, g->arena);
	if (!ret.keyed.n)
		ret.absent = ABSENCE_ERROR;
	return ret;
}

static int find_dir(struct group *g, const char *path)
{
	const struct cgroup_layout *layout = g->source->layout;
	struct stat st;
	int r;

	if (cgroup_path_kind(slice_of(path)) != CGROUP_PATH_USABLE)
		return -EINVAL;
	if (!cgroup_layout_folder(layout, slice_of(path), &g->dir))
		return layout->point.len ? -EXDEV : 0;
	r = root_stat(g->source->root, g->dir.s, &st);
	return r > 0 ? S_ISDIR(st.st_mode) : r;
}

static bool any_absent(const struct cgroup_stats *stats)
{
	bool any = false;

#define CGROUP_VALUE(group, name, ...) any |= stats->group##_##name.absent != ABSENCE_NONE;
#include "sys/cgroup_stats.def"
#undef CGROUP_VALUE
	for (enum psi_resource i = 0; i < PSI_COUNT; i++)
		any |= stats->psi.resource[i].absence != ABSENCE_NONE;
	return any;
}

/* The group is gone: that is why whatever was not read was not there. */
static void set_ended(struct cgroup_stats *stats)
{
#define CGROUP_VALUE(group, name, ...)                                                             \
	if (stats->group##_##name.absent)                                                          \
		stats->group##_##name.absent = ABSENCE_ENDED;
#include "sys/cgroup_stats.def"
#undef CGROUP_VALUE
	for (enum psi_resource i = 0; i < PSI_COUNT; i++)
		if (stats->psi.resource[i].absence)
			stats->psi.resource[i].absence = ABSENCE_ENDED;
}

int cgroup_stats_read(const struct cgroup_source *source, const char *path,
		      const struct cgroup_stats *like, struct arena *arena,
		      struct cgroup_stats *ret)
{
	static const struct cgroup_stats nothing;
	_cleanup_(group_done) struct group g = GROUP_INIT;
	int r;

	g.source = source;
	g.like = like ? like : &nothing;
	g.arena = arena;
	r = find_dir(&g, path);
	if (r <= 0)
		return r;
#define CGROUP_VALUE(group, name, form, file, key)                                                 \
	ret->group##_##name =                                                                      \
		read_##form(&g, &(struct place){ #group, file, key,                                \
						 offsetof(struct cgroup_stats, group##_##name) });
#include "sys/cgroup_stats.def"
#undef CGROUP_VALUE
	psi_read_cgroup(source->root, source->config, g.dir.s, &ret->psi);
	if (any_absent(ret) && !root_exists(source->root, g.dir.s))
		set_ended(ret);
	return 1;
}
