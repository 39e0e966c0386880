// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/parts_json.h"

static void write_count(struct json_writer *w, const void *member)
{
	json_u64(w, ((const struct cgroup_number *)member)->v);
}

/* No limit and no reading look alike here; `absent` tells them apart. */
static void write_nullable(struct json_writer *w, const void *member)
{
	const struct cgroup_number *number = member;

	if (number->absent || number->unlimited)
		json_null(w);
	else
		json_u64(w, number->v);
}

static void write_period(struct json_writer *w, const void *member)
{
	const struct cgroup_number *number = member;

	json_u64(w, number->absent ? CGROUP_PERIOD_DEFAULT : number->v);
}

static void write_nice(struct json_writer *w, const void *member)
{
	const struct cgroup_nice *nice = member;

	if (nice->absent)
		json_null(w);
	else
		json_i64(w, nice->v);
}

static void write_map(struct json_writer *w, const void *member)
{
	json_keyed.write(w, &((const struct cgroup_map *)member)->keyed);
}

/* Null leaves the default of the form. */
static int read_number(struct json_reader *r, void *member, void *loader)
{
	struct cgroup_number number = {};

	(void)loader;
	if (loader_null(r) || json_read_u64(r, &number.v) < 0)
		return r->error;
	*(struct cgroup_number *)member = number;
	return 0;
}

static int read_nice(struct json_reader *r, void *member, void *loader)
{
	struct cgroup_nice nice = {};

	(void)loader;
	if (loader_null(r) || json_read_i32(r, &nice.v) < 0)
		return r->error;
	*(struct cgroup_nice *)member = nice;
	return 0;
}

static int read_map(struct json_reader *r, void *member, void *loader)
{
	return loader_keyed(loader, r, &((struct cgroup_map *)member)->keyed);
}

typedef cgroup_form_COUNT form_COUNT_type;
typedef cgroup_form_LIMIT form_LIMIT_type;
typedef cgroup_form_FLOOR form_FLOOR_type;
typedef cgroup_form_OPTIONAL form_OPTIONAL_type;
typedef cgroup_form_QUOTA form_QUOTA_type;
typedef cgroup_form_PERIOD form_PERIOD_type;
typedef cgroup_form_NICE form_NICE_type;
typedef cgroup_form_MAP form_MAP_type;
static const struct json_custom form_COUNT = { read_number, write_count };
static const struct json_custom form_LIMIT = { read_number, write_nullable };
static const struct json_custom form_FLOOR = { read_number, write_nullable };
static const struct json_custom form_OPTIONAL = { read_number, write_nullable };
static const struct json_custom form_QUOTA = { read_number, write_nullable };
static const struct json_custom form_PERIOD = { read_number, write_period };
static const struct json_custom form_NICE = { read_nice, write_nice };
static const struct json_custom form_MAP = { read_map, write_map };

/* What a value is that the file does not have. Nothing tells why an optional one is missing in a
 * file of others. */
#define DEFAULT_COUNT                                                                              \
	{                                                                                          \
	}
#define DEFAULT_LIMIT                                                                              \
	{                                                                                          \
		.unlimited = true                                                                  \
	}
#define DEFAULT_QUOTA DEFAULT_LIMIT
#define DEFAULT_FLOOR                                                                              \
	{                                                                                          \
		.absent = ABSENCE_ERROR                                                            \
	}
#define DEFAULT_OPTIONAL DEFAULT_FLOOR
#define DEFAULT_NICE     DEFAULT_FLOOR
#define DEFAULT_PERIOD                                                                             \
	{                                                                                          \
		.v = CGROUP_PERIOD_DEFAULT                                                         \
	}
#define DEFAULT_MAP DEFAULT_COUNT

void cgroup_json_defaults(struct cgroup_stats *stats)
{
	*stats = (struct cgroup_stats){
#define CGROUP_VALUE(group, name, form, ...) .group##_##name = DEFAULT_##form,
#include "sys/cgroup_stats.def"
#undef CGROUP_VALUE
	};
}

/* The object of one group holds the rows of that group. */
#define CGROUP_VALUE(group, name, form, ...)                                                       \
	in_##group(JSON_CUSTOM_AS(#name, form_##form, struct cgroup_stats, group##_##name))
#define in_cpu(row) row,
#define in_memory(row)
#define in_pids(row)
static const struct json_field cpu_fields[] = {
#include "sys/cgroup_stats.def"
};
#undef in_cpu
#undef in_memory
#define in_cpu(row)
#define in_memory(row) row,
static const struct json_field memory_fields[] = {
#include "sys/cgroup_stats.def"
};
#undef in_memory
#undef in_pids
#define in_memory(row)
#define in_pids(row) row,
static const struct json_field pids_fields[] = {
#include "sys/cgroup_stats.def"
};
#undef in_cpu
#undef in_memory
#undef in_pids
#undef CGROUP_VALUE

#define GROUP(name)                                                                                \
	static const struct json_schema name##_schema = JSON_SCHEMA(name##_fields);                \
	static int read_##name(struct json_reader *r, void *stats, void *loader)                   \
	{                                                                                          \
		return loader_null(r) ? r->error                                                   \
				      : json_read_fields(r, &name##_schema, stats, loader);        \
	}                                                                                          \
	static void write_##name(struct json_writer *w, const void *stats)                         \
	{                                                                                          \
		json_write_fields(w, &name##_schema, stats);                                       \
	}                                                                                          \
	static const struct json_custom group_##name = { read_##name, write_##name };

GROUP(cpu)
GROUP(memory)
GROUP(pids)

static int read_psi(struct json_reader *r, void *member, void *loader)
{
	return psi_json_read(r, member, loader);
}

static void write_psi(struct json_writer *w, const void *member)
{
	psi_json_write(w, member);
}

typedef struct psi pressure_type;
static const struct json_custom pressure = { read_psi, write_psi };

/* Every form begins with its absence. */
static const struct value {
	const char *name;
	size_t offset;
	bool number;
} values[] = {
#define CGROUP_VALUE(group, name_, form, ...)                                                      \
	{ .name = #group "." #name_,                                                               \
	  .offset = offsetof(struct cgroup_stats, group##_##name_.absent),                         \
	  .number = _Generic(&((struct cgroup_stats *)0)->group##_##name_, struct cgroup_number *  \
			     : true, default                                                       \
			     : false) },
#include "sys/cgroup_stats.def"
#undef CGROUP_VALUE
};

static const char *name_of_value(size_t i)
{
	return values[i].name;
}

static enum absence get_reason(const void *stats, size_t i)
{
	return *(const enum absence *)((const char *)stats + values[i].offset);
}

/* Kept aside until all values are read: members may come in any order. */
_Static_assert(ARRAY_SIZE(values) <= LOADER_REASONS, "too many values of a cgroup");

static void keep_reason(void *loader, size_t i, enum absence why)
{
	((struct loader *)loader)->reasons[i] = why;
}

static void set_reason(void *stats, size_t i, enum absence why)
{
	void *member = (char *)stats + values[i].offset;

	*(enum absence *)member = why;
	if (values[i].number)
		((struct cgroup_number *)member)->unlimited = false;
}

static const struct reason_list reason_list = { ARRAY_SIZE(values), name_of_value, get_reason,
						keep_reason };

static bool omit_absent(const void *stats)
{
	return reasons_none(&reason_list, stats);
}

static void write_absent(struct json_writer *w, const void *stats)
{
	reasons_write(w, &reason_list, stats);
}

static int read_absent(struct json_reader *r, void *stats, void *loader)
{
	(void)stats;
	return reasons_read(r, &reason_list, loader, loader);
}

static const struct json_custom absent = { read_absent, write_absent, omit_absent };

/* A member of the document that is spread over the whole struct. */
#define WHOLE(name, ops)                                                                           \
	{                                                                                          \
		JSON_FIELD_NAMED(name), .type = JSON_FIELD_CUSTOM, .custom = &(ops)                \
	}

static const struct json_field fields[] = {
	WHOLE("cpu", group_cpu),   WHOLE("memory", group_memory),
	WHOLE("pids", group_pids), JSON_CUSTOM_AS("psi", pressure, struct cgroup_stats, psi),
	WHOLE("absent", absent),
};
static const struct json_schema schema = JSON_SCHEMA(fields);

void cgroup_json_write(struct json_writer *w, const struct cgroup_stats *stats)
{
	json_write_fields(w, &schema, stats);
}

int cgroup_json_read(struct json_reader *r, struct cgroup_stats *stats, struct loader *l)
{
	memset(l->reasons, 0, sizeof(l->reasons));
	if (loader_null(r) || json_read_fields(r, &schema, stats, l) < 0)
		return r->error;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		if (l->reasons[i])
			set_reason(stats, i, l->reasons[i]);
	return 0;
}
