// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>

#include "ctprof/parts_json.h"
#include "ctprof/registry.h"

/* Before a letter of the kernel there is one that sorts behind all of them. */

/* The member as the thread before this one has it. */
static const char *previous_text(const struct loader *l, const void *member)
{
	ptrdiff_t offset = (const char *)member - (const char *)l->thread;

	return l->previous ? *(const char *const *)((const char *)l->previous + offset) : NULL;
}

static int read_shared(struct json_reader *r, void *member, void *loader)
{
	const struct loader *l = loader;
	const char *last = previous_text(l, member);
	struct slice text;

	if (loader_null(r) || json_read_string(r, &text) < 0)
		return r->error;
	if (last && slice_is(text, last)) {
		*(const char **)member = last;
		return 0;
	}
	return loader_keep(loader, r, text, member);
}

static int read_letter(struct json_reader *r, void *member, void *loader)
{
	struct slice text;

	(void)loader;
	if (loader_null(r) || json_read_string(r, &text) < 0)
		return r->error;
	if (text.n != 1 || !text.s[0])
		return json_fail(r, -EBADMSG, "expected one character, found %zu bytes", text.n);
	*(char *)member = text.s[0];
	return 0;
}

static void write_letter(struct json_writer *w, const void *member)
{
	const char *letter = member;

	json_slice(w, (struct slice){ letter, 1 });
}

static int read_cpus(struct json_reader *r, void *member, void *loader)
{
	return loader_cpus(loader, r, member);
}

static void write_cpus(struct json_writer *w, const void *member)
{
	static const struct cpuset empty = CPUSET_INIT;
	const struct cpuset *cpus = *(const struct cpuset *const *)member;

	json_cpus(w, cpus ? cpus : &empty);
}

typedef uint8_t readings_type[READING_COUNT];

static const char *name_of_reading(size_t i)
{
	return reading_name(i);
}

static enum absence get_reading(const void *obj, size_t i)
{
	return ((const uint8_t *)obj)[i];
}

static void set_reading(void *obj, size_t i, enum absence why)
{
	((uint8_t *)obj)[i] = (uint8_t)why;
}

static const struct reason_list reading_list = { READING_COUNT, name_of_reading, get_reading,
						 set_reading };

static bool omit_readings(const void *member)
{
	static const readings_type none;

	return memcmp(member, none, sizeof(none)) == 0;
}

static void write_readings(struct json_writer *w, const void *member)
{
	reasons_write(w, &reading_list, member);
}

static int read_readings(struct json_reader *r, void *member, void *loader)
{
	return reasons_read(r, &reading_list, member, loader);
}

static bool omit_null(const void *member)
{
	return !*(const char *const *)member;
}

static int read_old_keyed(struct json_reader *r, void *member, void *loader)
{
	return loader_keyed(loader, r, member);
}

static void write_shared(struct json_writer *w, const void *member)
{
	json_text.write(w, member);
}

typedef struct keyed old_keyed_type;
typedef const char *layout_type;
static const struct json_custom shared = { read_shared, write_shared };
static const struct json_custom letter = { read_letter, write_letter };
static const struct json_custom cpus = { read_cpus, write_cpus };
static const struct json_custom readings = { read_readings, write_readings, omit_readings };
static const struct json_custom layout = { read_shared, write_shared, omit_null };
static const struct json_custom old_keyed = { .read = read_old_keyed };

/* A row takes its form from the type of the member; one without a form does not compile. */
#define ROW(name, member)                                                                            \
	{                                                                                            \
		JSON_FIELD_NAMED(#name), .offset = offsetof(struct thread, member),                \
					 .type = _Generic(&((struct thread *)0)->member, uint64_t * \
							  : JSON_FIELD_U64, uint32_t *             \
							  : JSON_FIELD_U32, int32_t *              \
							  : JSON_FIELD_I32, bool *                 \
							  : JSON_FIELD_BOOL, const char **         \
							  : JSON_FIELD_CUSTOM, char *              \
							  : JSON_FIELD_CUSTOM, struct keyed *      \
							  : JSON_FIELD_CUSTOM,                     \
							    const struct cpuset **                 \
							  : JSON_FIELD_CUSTOM),                    \
					 .custom = _Generic(&((struct thread *)0)->member,         \
							    const char **                          \
							    : &shared, char *                      \
							    : &letter, struct keyed *              \
							    : &json_keyed, const struct cpuset **  \
							    : &cpus, default                       \
							    : NULL), \
	}

/* The older name stands last, where looking for what comes next does not meet it. */
static const struct json_field fields[] = {
#define IDENTITY(type, name, reading) ROW(name, name),
#define FIELD(kind, name, reading)    ROW(name, name.v),
#include "ctprof/thread.def"
#undef IDENTITY
#undef FIELD
	JSON_CUSTOM_AS("absent", readings, struct thread, absent),
	JSON_CUSTOM(layout, struct thread, heap_layout),
	JSON_CUSTOM_AS("smaps_rollup_kib", old_keyed, struct thread, smaps_rollup_kb),
};
static const struct json_schema schema = JSON_SCHEMA(fields);

void thread_json_write(struct json_writer *w, const struct thread *t)
{
	json_write_fields(w, &schema, t);
}

void thread_json_defaults(struct thread *t)
{
	static const struct cpuset empty = CPUSET_INIT;

	*t = (struct thread){ .state.v = STATE_UNKNOWN, .cpu_affinity.v = &empty };
	t->pcomm = t->comm = t->cgroup = t->policy.v = "";
}

int thread_json_read(struct json_reader *r, struct thread *t, struct loader *l)
{
	return json_read_fields(r, &schema, t, l);
}
