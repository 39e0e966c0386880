// SPDX-License-Identifier: GPL-2.0-only
#include "thread.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"
#include "json/schema.h"

static struct slice make_text(struct arena *arena, const char *before, uint64_t number,
			      const char *after)
{
	char text[128];
	int n = snprintf(text, sizeof(text), "%s%" PRIu64 "%s", before, number, after);

	return slice_of(arena_strdup(arena, (struct slice){ text, (size_t)n }));
}

static struct cpus make_cpus(struct arena *arena)
{
	struct cpus cpus = { .n = 4 };

	cpus.v = arena_alloc_array(arena, cpus.n, sizeof(*cpus.v));
	for (size_t i = 0; i < cpus.n; i++)
		cpus.v[i] = (uint32_t)i;
	return cpus;
}

/* Only the leader of a process has one. */
static struct sizes make_sizes(struct arena *arena, bool leader)
{
	static const char *const keys[] = { "Rss",           "Pss",           "Pss_Dirty",
					    "Shared_Clean",  "Private_Clean", "Private_Dirty",
					    "AnonHugePages", "Swap",          "Locked" };
	struct sizes sizes = { .n = leader ? ARRAY_SIZE(keys) : 0 };

	sizes.v = arena_alloc_array(arena, sizes.n, sizeof(*sizes.v));
	for (size_t i = 0; i < sizes.n; i++)
		sizes.v[i] = (struct size_entry){ slice_of(keys[i]), random_below(10000000) };
	return sizes;
}

static void make_thread(struct arena *arena, struct thread *t, uint32_t tid)
{
#define fill_U64(member)   t->member = random_counter(offsetof(struct thread, member) / 8)
#define fill_U32(member)   t->member = 0
#define fill_I32(member)   t->member = (int32_t)random_below(41) - 20
#define fill_BOOL(member)  t->member = random_below(2)
#define fill_TEXT(member)  t->member = make_text(arena, "worker-", random_below(1000), "")
#define fill_CPUS(member)  t->member = make_cpus(arena)
#define fill_SIZES(member) t->member = make_sizes(arena, tid % 8 == 0)
#define MEMBER(type, name) fill_##type(name);
#include "thread.def"
#undef MEMBER
	t->tid = tid;
	t->tgid = tid / 8 * 8;
	t->cgroup = make_text(arena, "/system.slice/workload-", tid / 64, ".service");
	t->policy = SLICE_LIT("SCHED_OTHER");
	t->state = SLICE_LIT("S");
}

void snapshot_make(struct snapshot *s, size_t threads)
{
	*s = (struct snapshot){};
	random_restart();
	for (size_t i = 0; i < threads; i++) {
		vec_push(&s->threads, (struct thread){});
		make_thread(&s->arena, &s->threads.v[i], 1000 + (uint32_t)i);
	}
}

void snapshot_done(struct snapshot *s)
{
	arena_done(&s->arena);
	vec_done(&s->threads);
}

static int read_text(struct json_reader *r, void *member, void *arena)
{
	struct slice text;

	if (json_read_string(r, &text) < 0)
		return r->error;
	*(struct slice *)member = (struct slice){ arena_strdup(arena, text), text.n };
	return 0;
}

static void write_text(struct json_writer *w, const void *member)
{
	json_slice(w, *(const struct slice *)member);
}

static int read_cpus(struct json_reader *r, void *member, void *arena)
{
	struct cpus *cpus = member;
	uint32_t few[1024];
	size_t n = 0;

	if (json_enter_array(r) < 0)
		return r->error;
	while (json_next_element(r) > 0) {
		if (n == ARRAY_SIZE(few))
			return json_fail(r, -1, "too many CPUs");
		if (json_read_u32(r, &few[n++]) < 0)
			return r->error;
	}
	cpus->n = n;
	cpus->v = arena_alloc_array(arena, n, sizeof(*cpus->v));
	memcpy(cpus->v, few, n * sizeof(*few));
	return r->error;
}

static void write_cpus(struct json_writer *w, const void *member)
{
	const struct cpus *cpus = member;

	json_begin_array(w);
	for (size_t i = 0; i < cpus->n; i++)
		json_u64(w, cpus->v[i]);
	json_end_array(w);
}

static int read_sizes(struct json_reader *r, void *member, void *arena)
{
	struct sizes *sizes = member;
	struct size_entry few[64];
	struct slice key;
	size_t n = 0;

	if (json_enter_object(r) < 0)
		return r->error;
	while (json_next_key(r, &key) > 0) {
		if (n == ARRAY_SIZE(few))
			return json_fail(r, -1, "too many sizes");
		few[n].key = (struct slice){ arena_strdup(arena, key), key.n };
		if (json_read_u64(r, &few[n++].kb) < 0)
			return r->error;
	}
	sizes->n = n;
	sizes->v = arena_alloc_array(arena, n, sizeof(*sizes->v));
	memcpy(sizes->v, few, n * sizeof(*few));
	return r->error;
}

static void write_sizes(struct json_writer *w, const void *member)
{
	const struct sizes *sizes = member;

	json_begin_object(w);
	for (size_t i = 0; i < sizes->n; i++) {
		json_key_slice(w, sizes->v[i].key);
		json_u64(w, sizes->v[i].kb);
	}
	json_end_object(w);
}

typedef struct slice text_type;
typedef struct cpus cpus_type;
typedef struct sizes sizes_type;
static const struct json_custom text = { read_text, write_text };
static const struct json_custom cpus = { read_cpus, write_cpus };
static const struct json_custom sizes = { read_sizes, write_sizes };

static const struct json_field fields[] = {
#define row_U64(name)      JSON_FIELD(U64, struct thread, name)
#define row_U32(name)      JSON_FIELD(U32, struct thread, name)
#define row_I32(name)      JSON_FIELD(I32, struct thread, name)
#define row_BOOL(name)     JSON_FIELD(BOOL, struct thread, name)
#define row_TEXT(name)     JSON_CUSTOM(text, struct thread, name)
#define row_CPUS(name)     JSON_CUSTOM(cpus, struct thread, name)
#define row_SIZES(name)    JSON_CUSTOM(sizes, struct thread, name)
#define MEMBER(type, name) row_##type(name),
#include "thread.def"
#undef MEMBER
};
static const struct json_schema schema = JSON_SCHEMA(fields);

void snapshot_write(const struct snapshot *s, struct strbuf *out)
{
	struct json_writer w;

	json_writer_init(&w, json_sink_strbuf, out, JSON_COMPACT);
	json_begin_object(&w);
	json_key(&w, "threads");
	json_begin_array(&w);
	for (size_t i = 0; i < s->threads.n; i++)
		json_write_fields(&w, &schema, &s->threads.v[i]);
	json_end_array(&w);
	json_end_object(&w);
	if (json_writer_finish(&w) < 0)
		abort();
}

static int read_threads(struct json_reader *r, struct snapshot *s)
{
	if (json_enter_array(r) < 0)
		return r->error;
	while (json_next_element(r) > 0) {
		vec_push(&s->threads, (struct thread){});
		if (json_read_fields(r, &schema, &s->threads.v[s->threads.n - 1], &s->arena) < 0)
			break;
	}
	return r->error;
}

int snapshot_read(struct json_reader *r, struct snapshot *s)
{
	struct slice key;

	*s = (struct snapshot){};
	if (json_enter_object(r) < 0)
		return r->error;
	while (json_next_key(r, &key) > 0)
		if (!slice_is(key, "threads"))
			return json_fail(r, -1, "unknown member");
		else if (read_threads(r, s) < 0)
			return r->error;
	return json_reader_end(r);
}
