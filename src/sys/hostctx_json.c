// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/hostctx.h"
#include "util/cleanup.h"

/* The three kinds of members begin with their absence. */
static enum absence absent_member(const struct hostctx *host, const struct host_member *member)
{
	return *(const enum absence *)host_get(host, member);
}

static void put_map(struct json_writer *w, const struct host_member *member,
		    const struct host_map *map)
{
	size_t n = 0;

	for (size_t i = 0; i < map->entries.n; i++)
		n += !map->entries.v[i].absent;
	if (member->omit_empty && n == 0)
		return;
	json_key(w, member->name);
	json_begin_object(w);
	for (size_t i = 0; i < map->entries.n; i++) {
		const struct host_entry *e = &map->entries.v[i];

		if (e->absent)
			continue;
		json_key(w, e->key);
		json_string(w, e->value);
	}
	json_end_object(w);
}

static void put_member(struct json_writer *w, const struct hostctx *host,
		       const struct host_member *member)
{
	const void *value = host_get(host, member);

	switch (member->type) {
	case HOST_TYPE_text:
		json_key(w, member->name);
		json_string(w, ((const struct host_text *)value)->s);
		break;
	case HOST_TYPE_u64:
		json_key(w, member->name);
		json_u64(w, ((const struct host_u64 *)value)->v);
		break;
	case HOST_TYPE_map:
		put_map(w, member, value);
		break;
	}
}

/* Opens the object at the first reason, so that no reasons leave no object. */
static void put_reason(struct json_writer *w, bool *opened, struct slice name, enum absence why)
{
	if (!*opened) {
		json_key(w, "absent");
		json_begin_object(w);
		*opened = true;
	}
	json_key_slice(w, name);
	json_string(w, absence_name(why));
}

static void put_entry_reasons(struct json_writer *w, bool *opened, const char *member,
			      const struct host_map *map)
{
	_cleanup_(strbuf_done) struct strbuf name = STRBUF_INIT;

	for (size_t i = 0; i < map->entries.n; i++) {
		const struct host_entry *e = &map->entries.v[i];

		if (!e->absent)
			continue;
		strbuf_reset(&name);
		strbuf_addf(&name, "%s.%s", member, e->key);
		put_reason(w, opened, strbuf_slice(&name), e->absent);
	}
}

static void put_numa_reasons(struct json_writer *w, bool *opened, const struct numa *numa)
{
	_cleanup_(strbuf_done) struct strbuf name = STRBUF_INIT;

	for (size_t i = 0; i < numa->nodes.n; i++) {
		const struct numa_node *node = &numa->nodes.v[i];
		const struct {
			const char *member;
			enum absence why;
		} reasons[] = {
			{ "cpus", node->cpus_absent },
			{ "memory_kb", node->memory_absent },
			{ "distances", node->distances_absent },
		};

		for (size_t j = 0; j < ARRAY_SIZE(reasons); j++) {
			if (!reasons[j].why)
				continue;
			strbuf_reset(&name);
			strbuf_addf(&name, "numa.%u.%s", node->id, reasons[j].member);
			put_reason(w, opened, strbuf_slice(&name), reasons[j].why);
		}
	}
}

void hostctx_json(const struct hostctx *host, struct json_writer *w)
{
	bool opened = false;

	json_begin_object(w);
	for (size_t i = 0; i < HOST_COUNT; i++)
		if (!absent_member(host, &host_members[i]))
			put_member(w, host, &host_members[i]);
	if (!host->numa_absent) {
		json_key(w, "numa");
		numa_json(&host->numa, w);
	}

	for (size_t i = 0; i < HOST_COUNT; i++) {
		const struct host_member *m = &host_members[i];
		enum absence why = absent_member(host, m);

		if (why)
			put_reason(w, &opened, slice_of(m->name), why);
		else if (m->type == HOST_TYPE_map)
			put_entry_reasons(w, &opened, m->name, host_get(host, m));
	}
	if (host->numa_absent)
		put_reason(w, &opened, SLICE_LIT("numa"), host->numa_absent);
	else
		put_numa_reasons(w, &opened, &host->numa);
	if (opened)
		json_end_object(w);
	json_end_object(w);
}
