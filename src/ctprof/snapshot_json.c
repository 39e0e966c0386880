// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/snapshot_json.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "ctprof/parts_json.h"
#include "util/cleanup.h"

static void write_time(struct json_writer *w, const struct snapshot *s)
{
	json_u64(w, s->captured_at_unix_ns);
}

static int read_time(struct json_reader *r, struct snapshot *s, struct loader *l)
{
	(void)l;
	return loader_null(r) ? r->error : json_read_u64(r, &s->captured_at_unix_ns);
}

static void write_host(struct json_writer *w, const struct snapshot *s)
{
	if (s->host)
		hostctx_json(s->host, w);
	else
		json_null(w);
}

static int read_host(struct json_reader *r, struct snapshot *s, struct loader *l)
{
	if (loader_null(r) || loader_take(l, r, sizeof(*s->host)) < 0)
		return r->error;
	s->host = arena_new(&s->arena, struct hostctx);
	return hostctx_json_read(r, s->host);
}

static void write_threads(struct json_writer *w, const struct snapshot *s)
{
	json_begin_array(w);
	for (size_t i = 0; i < s->threads.n; i++)
		thread_json_write(w, &s->threads.v[i]);
	json_end_array(w);
}

static int by_id(const void *a, const void *b)
{
	const struct thread *x = a, *y = b;
	int order = (x->tgid > y->tgid) - (x->tgid < y->tgid);

	return order ? order : (x->tid > y->tid) - (x->tid < y->tid);
}

/* Whoever joins two snapshots relies on the order. */
static void order_threads(struct snapshot *s, struct loader *l)
{
	size_t sorted = 1;

	while (sorted < s->threads.n &&
	       by_id(&s->threads.v[sorted - 1], &s->threads.v[sorted]) <= 0)
		sorted++;
	if (sorted >= s->threads.n)
		return;
	notes_add(l->notes, "thread %" PRIu32 " of process %" PRIu32 " is out of order",
		  s->threads.v[sorted].tid, s->threads.v[sorted].tgid);
	qsort(s->threads.v, s->threads.n, sizeof(*s->threads.v), by_id);
}

static int read_threads(struct json_reader *r, struct snapshot *s, struct loader *l)
{
	if (loader_null(r) || json_enter_array(r) < 0)
		return r->error;
	while (json_next_element(r) > 0) {
		struct thread *t;

		if (loader_push(l, r, &s->threads, (struct thread){}) < 0)
			break;
		t = &s->threads.v[s->threads.n - 1];
		thread_json_defaults(t);
		l->thread = t;
		l->previous = s->threads.n > 1 ? t - 1 : NULL;
		if (thread_json_read(r, t, l) < 0)
			break;
	}
	l->thread = l->previous = NULL;
	if (!r->error)
		order_threads(s, l);
	return r->error;
}

#define PART(name, member)                                                                         \
	static void write_##name(struct json_writer *w, const struct snapshot *s)                  \
	{                                                                                          \
		name##_json_write(w, &s->member);                                                  \
	}                                                                                          \
	static int read_##name(struct json_reader *r, struct snapshot *s, struct loader *l)        \
	{                                                                                          \
		return name##_json_read(r, &s->member, l);                                         \
	}

PART(probe, probe)
PART(parse, parse)
PART(taskstats, taskstats)
PART(psi, psi)
PART(schedext, schedext)
PART(capture, capture)

struct schema_name {
	const char *name;
	uint64_t version;
};

static const struct json_field schema_fields[] = {
	JSON_CUSTOM(json_text, struct schema_name, name),
	JSON_FIELD(U64, struct schema_name, version),
};
static const struct json_schema schema_schema = JSON_SCHEMA(schema_fields);

static void write_schema(struct json_writer *w, const struct snapshot *s)
{
	const struct schema_name ours = { SNAPSHOT_SCHEMA, SNAPSHOT_VERSION };

	(void)s;
	json_write_fields(w, &schema_schema, &ours);
}

/* Members may be added under a version; a new version means that one has changed its meaning. */
static int read_schema(struct json_reader *r, struct snapshot *s, struct loader *l)
{
	struct schema_name schema = { .name = "" };

	if (loader_null(r) || json_read_fields(r, &schema_schema, &schema, l) < 0)
		return r->error;
	if (strcmp(schema.name, SNAPSHOT_SCHEMA) != 0)
		return json_fail(r, -EBADMSG, "'%.64s' is another kind of file", schema.name);
	if (schema.version > SNAPSHOT_VERSION)
		return json_fail(r, -EBADMSG,
				 "version %" PRIu64 " is newer than this program, which knows %u",
				 schema.version, SNAPSHOT_VERSION);
	s->schema_name = schema.name;
	s->schema_version = schema.version;
	return 0;
}

static void write_boot_id(struct json_writer *w, const struct snapshot *s)
{
	json_string(w, s->boot_id ? s->boot_id : "");
}

static int read_boot_id(struct json_reader *r, struct snapshot *s, struct loader *l)
{
	return loader_text(l, r, &s->boot_id);
}

static void write_pidns(struct json_writer *w, const struct snapshot *s)
{
	json_u64(w, s->pidns);
}

static int read_pidns(struct json_reader *r, struct snapshot *s, struct loader *l)
{
	(void)l;
	return loader_null(r) ? r->error : json_read_u64(r, &s->pidns);
}

static bool no_cgroups_absent(const struct snapshot *s)
{
	return s->cgroups_absent.n == 0;
}

/* The members of the document, in their order. */
static const struct part {
	const char *name;
	void (*write)(struct json_writer *w, const struct snapshot *s);
	int (*read)(struct json_reader *r, struct snapshot *s, struct loader *l);
	bool (*omit)(const struct snapshot *s); /* NULL: never left out */
	bool required;                          /* a note tells when it is missing */
} parts[] = {
	{ "captured_at_unix_ns", write_time, read_time, .required = true },
	{ "host", write_host, read_host },
	{ "threads", write_threads, read_threads, .required = true },
	{ "cgroup_stats", cgroups_json_write, cgroups_json_read },
	{ "probe_summary", write_probe, read_probe },
	{ "parse_summary", write_parse, read_parse },
	{ "taskstats_summary", write_taskstats, read_taskstats },
	{ "psi", write_psi, read_psi },
	{ "sched_ext", write_schedext, read_schedext },
	{ "schema", write_schema, read_schema },
	{ "boot_id", write_boot_id, read_boot_id },
	{ "pidns", write_pidns, read_pidns },
	{ "absence", absence_json_write, absence_json_read },
	{ "cgroup_stats_absent", cgroups_absent_json_write, cgroups_absent_json_read,
	  no_cgroups_absent },
	{ "capture", write_capture, read_capture },
};

#define LAST_PART (ARRAY_SIZE(parts) - 1)

void snapshot_json_write(struct snapshot *s, struct json_writer *w, snapshot_closing *closing,
			 void *ctx)
{
	json_begin_object(w);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (i == LAST_PART && closing)
			closing(s, ctx);
		if (parts[i].omit && parts[i].omit(s))
			continue;
		json_key(w, parts[i].name);
		parts[i].write(w, s);
	}
	json_end_object(w);
}

static int read_part(struct json_reader *r, const struct part *part, struct snapshot *s,
		     struct loader *l, bool *seen)
{
	int e;

	if (*seen)
		return json_fail(r, -EBADMSG, "a second '%s'", part->name);
	*seen = true;
	e = part->read(r, s, l);
	return e < 0 ? err_prefix(r->err, e, "'%s'", part->name) : 0;
}

static int read_parts(struct json_reader *r, struct snapshot *s, struct loader *l, bool *seen)
{
	struct slice key;
	int more;

	if (json_enter_object(r) < 0)
		return r->error;
	while ((more = json_next_key(r, &key)) > 0) {
		size_t i = 0;

		while (i < ARRAY_SIZE(parts) && !slice_is(key, parts[i].name))
			i++;
		if (i == ARRAY_SIZE(parts) ? json_skip(r) < 0
					   : read_part(r, &parts[i], s, l, &seen[i]) < 0)
			return r->error;
	}
	return more < 0 ? more : json_reader_end(r);
}

/* Where sched_ext is null the tally may know why. */
static void explain_schedext(struct snapshot *s)
{
	for (size_t i = 0; i < s->absence.n && s->schedext.absence; i++)
		if (strcmp(s->absence.v[i].source, "schedext") == 0) {
			schedext_json_absent(&s->schedext, s->absence.v[i].reason);
			return;
		}
}

int snapshot_json_read(struct json_reader *r, struct snapshot *ret, struct snapshot_notes *notes)
{
	_cleanup_(loader_freep) struct loader *l = loader_new(ret, notes);
	bool seen[ARRAY_SIZE(parts)] = {};

	ret->boot_id = ret->capture.engine = "";
	schedext_json_absent(&ret->schedext, ABSENCE_UNSUPPORTED);
	if (read_parts(r, ret, l, seen) < 0)
		return r->error;
	explain_schedext(ret);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (parts[i].required && !seen[i])
			notes_add(notes, "there is no '%s'", parts[i].name);
	return 0;
}
