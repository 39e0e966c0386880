// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/parts_json.h"

static const struct json_field probe_fields[] = {
	JSON_FIELD(U64, struct probe_summary, tgids_walked),
	JSON_FIELD(U64, struct probe_summary, jemalloc_detected),
	JSON_FIELD(U64, struct probe_summary, probed_ok),
	JSON_FIELD(U64, struct probe_summary, failed),
	JSON_CUSTOM(json_text_or_null, struct probe_summary, dominant_failure),
	JSON_FIELD(BOOL, struct probe_summary, privilege_dominant),
};
static const struct json_schema probe_schema = JSON_SCHEMA(probe_fields);

static const struct json_field parse_fields[] = {
	JSON_FIELD(U64, struct parse_summary, tids_walked),
	JSON_FIELD(U64, struct parse_summary, read_failures),
	JSON_CUSTOM(json_keyed, struct parse_summary, read_failures_by_file),
	JSON_CUSTOM(json_text_or_null, struct parse_summary, dominant_read_failure),
	JSON_FIELD(BOOL, struct parse_summary, kernel_config_dominant),
	JSON_FIELD(U64, struct parse_summary, negative_dotted_values),
};
static const struct json_schema parse_schema = JSON_SCHEMA(parse_fields);

static const struct json_field taskstats_fields[] = {
	JSON_FIELD(U64, struct taskstats_summary, ok_count),
	JSON_FIELD(U64, struct taskstats_summary, eperm_count),
	JSON_FIELD(U64, struct taskstats_summary, esrch_count),
	JSON_FIELD(U64, struct taskstats_summary, other_err_count),
};
static const struct json_schema taskstats_schema = JSON_SCHEMA(taskstats_fields);

static void write_summary(struct json_writer *w, const struct json_schema *schema, bool present,
			  const void *sum)
{
	if (present)
		json_write_fields(w, schema, sum);
	else
		json_null(w);
}

static int read_summary(struct json_reader *r, const struct json_schema *schema, void *sum,
			bool *present, struct loader *l)
{
	if (loader_null(r) || json_read_fields(r, schema, sum, l) < 0)
		return r->error;
	*present = true;
	return 0;
}

void probe_json_write(struct json_writer *w, const struct probe_summary *sum)
{
	write_summary(w, &probe_schema, sum->present, sum);
}

int probe_json_read(struct json_reader *r, struct probe_summary *sum, struct loader *l)
{
	return read_summary(r, &probe_schema, sum, &sum->present, l);
}

void parse_json_write(struct json_writer *w, const struct parse_summary *sum)
{
	write_summary(w, &parse_schema, sum->present, sum);
}

int parse_json_read(struct json_reader *r, struct parse_summary *sum, struct loader *l)
{
	return read_summary(r, &parse_schema, sum, &sum->present, l);
}

void taskstats_json_write(struct json_writer *w, const struct taskstats_summary *sum)
{
	write_summary(w, &taskstats_schema, sum->present, sum);
}

int taskstats_json_read(struct json_reader *r, struct taskstats_summary *sum, struct loader *l)
{
	return read_summary(r, &taskstats_schema, sum, &sum->present, l);
}
