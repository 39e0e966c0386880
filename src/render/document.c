// SPDX-License-Identifier: GPL-2.0-only
#include "render/render.h"

#include "render/csv.h"

const char *const render_format_names[RENDER_FORMAT_COUNT + 1] = {
#define RENDER_FORMAT(id, name, words) [RENDER_##id] = name,
#include "render/format.def"
#undef RENDER_FORMAT
};

static int write_tables(const struct view *views, size_t n, const struct table_options *options,
			FILE *out)
{
	for (size_t i = 0; i < n; i++) {
		int r = i ? json_sink_file(out, "\n", 1) : 0;

		if (!r)
			r = render_table(&views[i], options, out);
		if (r)
			return r;
	}
	return 0;
}

static int write_json(const struct view *views, size_t n, FILE *out)
{
	struct json_writer w;

	json_writer_init(&w, json_sink_file, out, JSON_INDENTED);
	json_begin_object(&w);
	for (size_t i = 0; i < n; i++) {
		json_key(&w, views[i].name);
		render_json_rows(&views[i], &w);
	}
	json_end_object(&w);
	return json_writer_finish(&w);
}

int render_document(const struct view *views, size_t n, enum render_format format,
		    const struct table_options *options, FILE *out)
{
	switch (format) {
	case RENDER_TABLE:
		return write_tables(views, n, options, out);
	case RENDER_JSON:
		return write_json(views, n, out);
	case RENDER_CSV:
		return csv_write_sections(views, n, out);
	case RENDER_FORMAT_COUNT:
		break;
	}
	__builtin_unreachable();
}
