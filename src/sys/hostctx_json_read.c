// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "sys/hostctx.h"
#include "util/cleanup.h"

/* More than any machine has CPUs, of which each has a governor. */
#define ENTRIES_MAX CPUSET_MAX

/* The three kinds of members begin with their absence. */
static enum absence *absence_at(struct hostctx *host, const struct host_member *member)
{
	return (enum absence *)(void *)((char *)host + member->offset);
}

static int keep(struct json_reader *r, struct arena *arena, struct slice text, const char **ret)
{
	if (memchr(text.s, '\0', text.n))
		return json_fail(r, -EBADMSG, "a NUL byte in a text");
	*ret = arena_strdup(arena, text);
	return 0;
}

/* Others write the counters of their allocator as numbers. */
static int read_entry(struct json_reader *r, int kind, struct arena *arena, const char **ret)
{
	struct slice text;
	char digits[24];
	uint64_t v;

	if (kind == JSON_NUMBER) {
		if (json_read_u64(r, &v) < 0)
			return r->error;
		snprintf(digits, sizeof(digits), "%" PRIu64, v);
		text = slice_of(digits);
	} else if (json_read_string(r, &text) < 0) {
		return r->error;
	}
	return keep(r, arena, text, ret);
}

static int push_entry(struct json_reader *r, struct host_map *map, struct host_entry entry)
{
	if (map->entries.n == ENTRIES_MAX)
		return json_fail(r, -E2BIG, "more than %u entries", ENTRIES_MAX);
	vec_push(&map->entries, entry);
	return 0;
}

static int read_map(struct json_reader *r, struct host_map *map, struct arena *arena)
{
	struct slice key;

	if (json_enter_object(r) < 0)
		return r->error;
	while (json_next_key(r, &key) > 0) {
		struct host_entry entry = {};
		int kind;

		if (keep(r, arena, key, &entry.key) < 0)
			break;
		kind = json_peek(r);
		if (kind == JSON_NULL && json_read_null(r) == 0)
			continue;
		if (kind < 0 || read_entry(r, kind, arena, &entry.value) < 0 ||
		    push_entry(r, map, entry) < 0)
			break;
	}
	return r->error;
}

static int read_member(struct json_reader *r, struct hostctx *host,
		       const struct host_member *member)
{
	void *value = absence_at(host, member);
	struct host_text *text = value;
	struct host_u64 *number = value;
	struct slice s;
	int kind = json_peek(r);

	if (kind < 0)
		return kind;
	if (kind == JSON_NULL)
		return json_read_null(r);
	switch (member->type) {
	case HOST_TYPE_text:
		if (json_read_string(r, &s) < 0 || keep(r, &host->arena, s, &text->s) < 0)
			return r->error;
		break;
	case HOST_TYPE_u64:
		if (json_read_u64(r, &number->v) < 0)
			return r->error;
		break;
	case HOST_TYPE_map:
		if (read_map(r, value, &host->arena) < 0)
			return r->error;
		break;
	}
	*absence_at(host, member) = ABSENCE_NONE;
	return 0;
}

/* Whether @key is @name, or ends in `_kib` where that ends in `_kb`. */
static bool is_name(struct slice key, const char *name)
{
	size_t n = strlen(name);

	if (slice_is(key, name))
		return true;
	return n > 3 && strcmp(name + n - 3, "_kb") == 0 && key.n == n + 1 &&
	       memcmp(key.s, name, n - 1) == 0 && memcmp(key.s + n - 1, "ib", 2) == 0;
}

static const struct host_member *find_member(struct slice name)
{
	for (size_t i = 0; i < HOST_COUNT; i++)
		if (is_name(name, host_members[i].name))
			return &host_members[i];
	return NULL;
}

static enum absence named_reason(struct slice name)
{
	for (enum absence a = ABSENCE_NONE + 1; a < ABSENCE_COUNT; a++)
		if (slice_is(name, absence_name(a)))
			return a;
	return ABSENCE_ERROR;
}

/* A reason under "MEMBER", "numa", "numa.ID.MEMBER" or "MAP.KEY"; any other is passed over. */
struct reason {
	const char *name;
	enum absence why;
};

typedef VEC(struct reason) reasons_t;

static int read_reasons(struct json_reader *r, reasons_t *reasons, struct arena *arena)
{
	struct slice key, text;
	int kind = json_peek(r);

	if (kind == JSON_NULL)
		return json_read_null(r);
	if (kind < 0 || json_enter_object(r) < 0)
		return r->error;
	while (json_next_key(r, &key) > 0) {
		struct reason reason = {};

		if (reasons->n == ENTRIES_MAX)
			return json_fail(r, -E2BIG, "more than %u reasons", ENTRIES_MAX);
		if (keep(r, arena, key, &reason.name) < 0 || json_read_string(r, &text) < 0)
			break;
		reason.why = named_reason(text);
		vec_push(reasons, reason);
	}
	return r->error;
}

static void explain_entry(struct hostctx *host, struct slice map, const char *key, enum absence why)
{
	const struct host_member *member = find_member(map);
	struct host_map *entries;

	if (!member || member->type != HOST_TYPE_map)
		return;
	entries = (void *)absence_at(host, member);
	if (entries->entries.n < ENTRIES_MAX)
		vec_push(&entries->entries,
			 (struct host_entry){ .key = key, .absent = why, .value = "" });
}

static void explain(struct hostctx *host, const struct reason *reason)
{
	const char *dot = strchr(reason->name, '.');
	const struct host_member *member = find_member(slice_of(reason->name));

	if (member)
		*absence_at(host, member) = reason->why;
	else if (strcmp(reason->name, "numa") == 0)
		host->numa_absent = reason->why;
	else if (dot && slice_starts(slice_of(reason->name), "numa."))
		numa_explain(&host->numa, slice_of(dot + 1), reason->why);
	else if (dot)
		explain_entry(host, (struct slice){ reason->name, (size_t)(dot - reason->name) },
			      dot + 1, reason->why);
}

static void set_defaults(struct hostctx *host)
{
	*host = (struct hostctx){ .numa_absent = ABSENCE_ERROR };
	for (size_t i = 0; i < HOST_COUNT; i++) {
		const struct host_member *m = &host_members[i];

		if (m->type == HOST_TYPE_text)
			((struct host_text *)(void *)absence_at(host, m))->s = "";
		/* An empty map that is not written is there nevertheless. */
		*absence_at(host, m) = m->omit_empty ? ABSENCE_NONE : ABSENCE_ERROR;
	}
}

static int read_numa(struct json_reader *r, struct hostctx *host)
{
	int kind = json_peek(r);

	if (kind == JSON_NULL)
		return json_read_null(r);
	if (kind < 0 || numa_json_read(r, &host->numa) < 0)
		return r->error;
	host->numa_absent = ABSENCE_NONE;
	return 0;
}

static int read_any(struct json_reader *r, struct slice key, struct hostctx *host, bool *seen,
		    reasons_t *reasons)
{
	const struct host_member *member = find_member(key);
	bool *again;
	char name[64];
	int e;

	snprintf(name, sizeof(name), "'%.*s'", (int)(key.n < 32 ? key.n : 32), key.s);
	if (member)
		again = &seen[member - host_members];
	else if (slice_is(key, "numa"))
		again = &seen[HOST_COUNT];
	else if (slice_is(key, "absent"))
		again = &seen[HOST_COUNT + 1];
	else
		return json_skip(r);
	if (*again)
		return json_fail(r, -EBADMSG, "a second %s", name);
	*again = true;
	if (member)
		e = read_member(r, host, member);
	else if (again == &seen[HOST_COUNT])
		e = read_numa(r, host);
	else
		e = read_reasons(r, reasons, &host->arena);
	return e < 0 ? err_prefix(r->err, e, "%s", name) : 0;
}

int hostctx_json_read(struct json_reader *r, struct hostctx *ret)
{
	reasons_t reasons = {};
	bool seen[HOST_COUNT + 2] = {};
	struct slice key;

	set_defaults(ret);
	if (json_enter_object(r) < 0)
		return r->error;
	while (json_next_key(r, &key) > 0)
		if (read_any(r, key, ret, seen, &reasons) < 0)
			break;
	for (size_t i = 0; i < reasons.n && !r->error; i++)
		explain(ret, &reasons.v[i]);
	vec_done(&reasons);
	return r->error;
}
