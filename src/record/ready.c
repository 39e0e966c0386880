// SPDX-License-Identifier: LGPL-2.1-or-later
#include "record/ready.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/cleanup.h"
#include "json/schema.h"

static void lists_done(struct ready_topology *t)
{
	vec_done(&t->nodes.ids);
	vec_done(&t->cpu.ids);
	vec_done(&t->llc.ids);
	vec_done(&t->core.ids);
	vec_done(&t->node.ids);
}

void ready_done(struct ready *ready)
{
	free(ready->kernel);
	free(ready->boot_id);
	lists_done(&ready->topology);
	strv_done(&ready->notes);
	*ready = (struct ready)READY_INIT;
}

static int read_list(struct json_reader *r, void *member, void *ctx)
{
	struct ready_list *list = member;
	uint32_t id;

	(void)ctx;
	if (json_enter_array(r) < 0)
		return r->error;
	while (json_next_element(r) > 0) {
		if (list->ids.n == READY_LIST_MAX)
			return json_fail(r, -E2BIG, "more than %u entries", READY_LIST_MAX);
		if (json_read_u32(r, &id) < 0)
			break;
		vec_push(&list->ids, id);
	}
	return r->error;
}

static void write_list(struct json_writer *w, const void *member)
{
	const struct ready_list *list = member;

	json_begin_array(w);
	for (size_t i = 0; i < list->ids.n; i++)
		json_u64(w, list->ids.v[i]);
	json_end_array(w);
}

typedef struct ready_list ready_list_json_type;
static const struct json_custom ready_list_json = { read_list, write_list };

static const struct json_field topology_fields[] = {
	JSON_CUSTOM(ready_list_json, struct ready_topology, nodes),
	JSON_CUSTOM(ready_list_json, struct ready_topology, cpu),
	JSON_CUSTOM(ready_list_json, struct ready_topology, llc),
	JSON_CUSTOM(ready_list_json, struct ready_topology, core),
	JSON_CUSTOM(ready_list_json, struct ready_topology, node),
};
static const struct json_schema topology_schema = JSON_SCHEMA(topology_fields);

static int read_topology(struct json_reader *r, void *member, void *ctx)
{
	return json_read_fields(r, &topology_schema, member, ctx);
}

static void write_topology(struct json_writer *w, const void *member)
{
	json_write_fields(w, &topology_schema, member);
}

/* NUL has no place in a string of ours; what stands behind it is dropped. */
static int read_text(struct json_reader *r, void *member, void *ctx)
{
	char **text = member;
	struct slice s;

	(void)ctx;
	if (json_read_string(r, &s) < 0)
		return r->error;
	*text = xstrndup(s.s, s.n);
	return 0;
}

static void write_text(struct json_writer *w, const void *member)
{
	json_string(w, *(char *const *)member);
}

static bool no_text(const void *member)
{
	return !*(char *const *)member;
}

static int read_notes(struct json_reader *r, void *member, void *ctx)
{
	struct strv *notes = member;

	if (json_enter_array(r) < 0)
		return r->error;
	while (json_next_element(r) > 0) {
		_cleanup_free_ char *note = NULL;

		if (notes->n == READY_NOTES_MAX)
			return json_fail(r, -E2BIG, "more than %u entries", READY_NOTES_MAX);
		if (read_text(r, &note, ctx) < 0)
			break;
		strv_add(notes, note);
	}
	return r->error;
}

static void write_notes(struct json_writer *w, const void *member)
{
	const struct strv *notes = member;

	json_begin_array(w);
	for (size_t i = 0; i < notes->n; i++)
		json_string(w, notes->v[i]);
	json_end_array(w);
}

static int read_kb(struct json_reader *r, void *member, void *ctx)
{
	(void)ctx;
	return json_read_u64(r, member);
}

static void write_kb(struct json_writer *w, const void *member)
{
	json_u64(w, *(const uint64_t *)member);
}

static bool no_kb(const void *member)
{
	return !*(const uint64_t *)member;
}

typedef char *ready_text_type;
static const struct json_custom ready_text = { read_text, write_text, no_text };
typedef uint64_t ready_kb_type;
static const struct json_custom ready_kb = { read_kb, write_kb, no_kb };
typedef struct ready_topology ready_topology_json_type;
static const struct json_custom ready_topology_json = { read_topology, write_topology };
typedef struct strv ready_notes_type;
static const struct json_custom ready_notes = { read_notes, write_notes };

static const struct json_field fields[] = {
	JSON_FIELD(U32, struct ready, protocol),
	JSON_CUSTOM(ready_text, struct ready, kernel),
	JSON_CUSTOM(ready_text, struct ready, boot_id),
	JSON_CUSTOM(ready_kb, struct ready, mem_total_kb),
	JSON_CUSTOM(ready_topology_json, struct ready, topology),
	JSON_CUSTOM(ready_notes, struct ready, notes),
};
static const struct json_schema schema = JSON_SCHEMA(fields);

void ready_json(const struct ready *ready, struct json_writer *w)
{
	json_write_fields(w, &schema, ready);
}

int ready_read(struct slice text, struct ready *ret, struct err *err)
{
	const struct json_limits limits = {
		.bytes = READY_BYTES_MAX,
		.string_bytes = 4096,
	};
	const struct ready_topology *t = &ret->topology;
	struct json_reader r;
	int e;

	*ret = (struct ready)READY_INIT;
	json_reader_init_slice(&r, text, &limits, err);
	e = json_read_fields(&r, &schema, ret, NULL);
	if (e >= 0)
		e = json_reader_end(&r);
	json_reader_done(&r);
	if (e < 0)
		return e;
	if (t->llc.ids.n != t->cpu.ids.n || t->core.ids.n != t->cpu.ids.n ||
	    t->node.ids.n != t->cpu.ids.n)
		return err_set(err, -EBADMSG, "the lists about CPUs differ in length");
	return 0;
}
