// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>

#include "ctprof/parts_json.h"
#include "util/cleanup.h"
#include "util/escape.h"

/* An entry that begins with its path, and the path as it will be read back: a byte that is not
 * UTF-8 comes back as the four characters that stand for it. */
struct place {
	const char *key;
	const void *entry;
};

static const char *key_of(const char *path, struct arena *arena)
{
	_cleanup_(strbuf_done) struct strbuf key = STRBUF_INIT;
	struct slice left = slice_of(path);
	bool changed = false;
	uint32_t cp;

	while (left.n) {
		size_t n = utf8_decode(left, &cp);

		if (n) {
			strbuf_add(&key, left.s, n);
		} else {
			n = 1;
			changed = true;
			strbuf_addf(&key, "\\x%02x", (unsigned char)left.s[0]);
		}
		left = (struct slice){ left.s + n, left.n - n };
	}
	return changed ? arena_strdup(arena, strbuf_slice(&key)) : path;
}

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct place *)a)->key, ((const struct place *)b)->key);
}

/* Ascending by what is written, each key once: two paths may look alike then. */
static void write_by_path(struct json_writer *w, const void *entries, size_t n, size_t size,
			  void (*put)(struct json_writer *w, const void *entry))
{
	_cleanup_(arena_done) struct arena arena = ARENA_INIT;
	struct place *places = arena_alloc_array(&arena, n, sizeof(*places));

	for (size_t i = 0; i < n; i++) {
		const char *const *entry = (const void *)((const char *)entries + i * size);

		places[i] = (struct place){ key_of(*entry, &arena), entry };
	}
	qsort(places, n, sizeof(*places), by_key);
	json_begin_object(w);
	for (size_t i = 0; i < n; i++) {
		if (i && by_key(&places[i - 1], &places[i]) == 0)
			continue;
		json_key(w, places[i].key);
		put(w, places[i].entry);
	}
	json_end_object(w);
}

static void put_stats(struct json_writer *w, const void *entry)
{
	cgroup_json_write(w, &((const struct snapshot_cgroup *)entry)->stats);
}

void cgroups_json_write(struct json_writer *w, const struct snapshot *s)
{
	write_by_path(w, s->cgroups.v, s->cgroups.n, sizeof(*s->cgroups.v), put_stats);
}

static void put_reason(struct json_writer *w, const void *entry)
{
	json_string(w, ((const struct snapshot_cgroup_absent *)entry)->reason);
}

void cgroups_absent_json_write(struct json_writer *w, const struct snapshot *s)
{
	write_by_path(w, s->cgroups_absent.v, s->cgroups_absent.n, sizeof(*s->cgroups_absent.v),
		      put_reason);
}

static int by_path(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What was read, brought into order if it was not. */
static int order(struct json_reader *r, void *entries, size_t n, size_t size, struct loader *l,
		 const char *what)
{
	char *at = entries;
	size_t sorted = 1;

	while (sorted < n && by_path(at + (sorted - 1) * size, at + sorted * size) < 0)
		sorted++;
	if (sorted >= n)
		return 0;
	notes_add(l->notes, "the paths of '%s' do not ascend", what);
	qsort(entries, n, size, by_path);
	for (size_t i = 1; i < n; i++)
		if (by_path(at + (i - 1) * size, at + i * size) == 0)
			return json_fail(r, -EBADMSG, "a second '%.64s'",
					 *(const char *const *)(const void *)(at + i * size));
	return 0;
}

int cgroups_json_read(struct json_reader *r, struct snapshot *s, struct loader *l)
{
	struct slice key;

	if (loader_null(r) || json_enter_object(r) < 0)
		return r->error;
	while (json_next_key(r, &key) > 0) {
		struct snapshot_cgroup cgroup;

		if (loader_keep(l, r, key, &cgroup.path) < 0)
			break;
		cgroup_json_defaults(&cgroup.stats);
		if (cgroup_json_read(r, &cgroup.stats, l) < 0 ||
		    loader_push(l, r, &s->cgroups, cgroup) < 0)
			break;
	}
	return r->error ? r->error
			: order(r, s->cgroups.v, s->cgroups.n, sizeof(*s->cgroups.v), l,
				"cgroup_stats");
}

int cgroups_absent_json_read(struct json_reader *r, struct snapshot *s, struct loader *l)
{
	struct slice key;

	if (loader_null(r) || json_enter_object(r) < 0)
		return r->error;
	while (json_next_key(r, &key) > 0) {
		struct snapshot_cgroup_absent absent = { .reason = "" };

		if (loader_keep(l, r, key, &absent.path) < 0 ||
		    loader_text(l, r, &absent.reason) < 0 ||
		    loader_push(l, r, &s->cgroups_absent, absent) < 0)
			break;
	}
	return r->error ? r->error
			: order(r, s->cgroups_absent.v, s->cgroups_absent.n,
				sizeof(*s->cgroups_absent.v), l, "cgroup_stats_absent");
}
