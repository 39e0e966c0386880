// SPDX-License-Identifier: GPL-2.0-only
#include "cli/topo_presets.h"

#include "record/machine.h"

static const struct column columns[] = {
	{ "name", NULL, 0 },
	{ "nodes", NULL, COLUMN_RIGHT },
	{ "llcs", "LLCs", COLUMN_RIGHT },
	{ "cores_per_llc", "cores/LLC", COLUMN_RIGHT },
	{ "threads_per_core", "threads/core", COLUMN_RIGHT },
	{ "cpus", "CPUs", COLUMN_RIGHT },
};

int topo_presets(enum render_format format, const struct table_options *table, FILE *out)
{
	struct view view;
	int r;

	view_init(&view, "presets", columns, ARRAY_SIZE(columns));
	for (unsigned i = 0; i < machine_preset_count; i++) {
		const struct machine_preset *p = &machine_presets[i];

		view_row(&view, cell_text(p->name), cell_i64(p->nodes), cell_i64(p->llcs),
			 cell_i64(p->cores), cell_i64(p->threads),
			 cell_i64((int64_t)p->llcs * p->cores * p->threads));
	}
	r = render_document(&view, 1, format, table, out);
	view_done(&view);
	return r;
}
