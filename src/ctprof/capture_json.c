// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/parts_json.h"

static const struct json_field phase_fields[] = {
	JSON_CUSTOM(json_text, struct snapshot_phase, name),
	JSON_FIELD(U64, struct snapshot_phase, wall_ns),
	JSON_FIELD(U64, struct snapshot_phase, cpu_ns),
};
static const struct json_schema phase_schema = JSON_SCHEMA(phase_fields);

typedef typeof(((struct capture_cost *)0)->phases) phases_type;

static int read_phases(struct json_reader *r, void *member, void *loader)
{
	phases_type *phases = member;

	if (loader_null(r) || json_enter_array(r) < 0)
		return r->error;
	while (json_next_element(r) > 0) {
		struct snapshot_phase phase = { .name = "" };

		if (json_read_fields(r, &phase_schema, &phase, loader) < 0 ||
		    loader_push((struct loader *)loader, r, phases, phase) < 0)
			break;
	}
	return r->error;
}

static void write_phases(struct json_writer *w, const void *member)
{
	const phases_type *phases = member;

	json_begin_array(w);
	for (size_t i = 0; i < phases->n; i++)
		json_write_fields(w, &phase_schema, &phases->v[i]);
	json_end_array(w);
}

static const struct json_custom phases = { read_phases, write_phases };

static const struct json_field fields[] = {
	JSON_FIELD(U64, struct capture_cost, start_boottime_ns),
	JSON_FIELD(U64, struct capture_cost, end_boottime_ns),
	JSON_CUSTOM(phases, struct capture_cost, phases),
	JSON_FIELD(U64, struct capture_cost, max_rss_kb),
	JSON_CUSTOM(json_text, struct capture_cost, engine),
	JSON_CUSTOM(json_text_or_null, struct capture_cost, engine_fallback),
};
static const struct json_schema schema = JSON_SCHEMA(fields);

void capture_json_write(struct json_writer *w, const struct capture_cost *cost)
{
	if (cost->present)
		json_write_fields(w, &schema, cost);
	else
		json_null(w);
}

int capture_json_read(struct json_reader *r, struct capture_cost *cost, struct loader *l)
{
	cost->engine = "";
	if (loader_null(r) || json_read_fields(r, &schema, cost, l) < 0)
		return r->error;
	cost->present = true;
	return 0;
}
