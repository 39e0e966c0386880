// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>

#include "ctprof/parts_json.h"

static int read_average(struct json_reader *r, void *member, void *loader)
{
	uint64_t v;

	(void)loader;
	if (loader_null(r) || json_read_u64(r, &v) < 0)
		return r->error;
	if (v > UINT16_MAX)
		return json_fail(r, -ERANGE, "%" PRIu64 " is more than %u", v, UINT16_MAX);
	*(uint16_t *)member = (uint16_t)v;
	return 0;
}

static void write_average(struct json_writer *w, const void *member)
{
	json_u64(w, *(const uint16_t *)member);
}

typedef uint16_t average_type;
static const struct json_custom average = { read_average, write_average };

static const struct json_field half_fields[] = {
	JSON_CUSTOM(average, struct psi_half, avg10),
	JSON_CUSTOM(average, struct psi_half, avg60),
	JSON_CUSTOM(average, struct psi_half, avg300),
	JSON_FIELD(U64, struct psi_half, total_usec),
};
static const struct json_schema half_schema = JSON_SCHEMA(half_fields);

static int read_half(struct json_reader *r, void *member, void *loader)
{
	return loader_null(r) ? r->error : json_read_fields(r, &half_schema, member, loader);
}

static void write_half(struct json_writer *w, const void *member)
{
	json_write_fields(w, &half_schema, member);
}

typedef struct psi_half half_type;
static const struct json_custom half = { read_half, write_half };

static const struct json_field pressure_fields[] = {
	JSON_CUSTOM(half, struct psi_pressure, some),
	JSON_CUSTOM(half, struct psi_pressure, full),
};
static const struct json_schema pressure_schema = JSON_SCHEMA(pressure_fields);

static int read_pressure(struct json_reader *r, void *member, void *loader)
{
	return loader_null(r) ? r->error : json_read_fields(r, &pressure_schema, member, loader);
}

static void write_pressure(struct json_writer *w, const void *member)
{
	json_write_fields(w, &pressure_schema, member);
}

typedef struct psi_pressure pressure_type;
static const struct json_custom pressure = { read_pressure, write_pressure };

typedef struct psi_pressure reasons_type[PSI_COUNT];

static const char *name_of_resource(size_t i)
{
	return psi_resource_name(i);
}

static enum absence get_reason(const void *obj, size_t i)
{
	return ((const struct psi_pressure *)obj)[i].absence;
}

static void set_reason(void *obj, size_t i, enum absence why)
{
	((struct psi_pressure *)obj)[i].absence = why;
}

static const struct reason_list reason_list = { PSI_COUNT, name_of_resource, get_reason,
						set_reason };

REASONS_JSON(reasons, reason_list)

static const struct json_field fields[] = {
#define PSI(id, name) JSON_CUSTOM_AS(name, pressure, struct psi, resource[PSI_##id]),
#include "sys/psi.def"
#undef PSI
	JSON_CUSTOM_AS("absent", reasons, struct psi, resource),
};
static const struct json_schema schema = JSON_SCHEMA(fields);

void psi_json_write(struct json_writer *w, const struct psi *psi)
{
	json_write_fields(w, &schema, psi);
}

int psi_json_read(struct json_reader *r, struct psi *psi, struct loader *l)
{
	return loader_null(r) ? r->error : json_read_fields(r, &schema, psi, l);
}
