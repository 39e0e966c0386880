// SPDX-License-Identifier: GPL-2.0-only
#include "doctor/kernel_options.h"

#include "kernel/options.h"
#include "util/cleanup.h"

static void fill_kernel(const struct kernel *k, struct view *view)
{
	static const struct column columns[] = {
		{ "image" }, { "release" }, { "arch" }, { "rule" }, { "config" },
	};

	view_init(view, "kernel", columns, ARRAY_SIZE(columns));
	view_row(view, cell_slice(strbuf_slice(&k->image)),
		 k->release.len ? cell_slice(strbuf_slice(&k->release)) : cell_absent(ABSENCE_NONE),
		 cell_text(k->arch), cell_slice(strbuf_slice(&k->rule)),
		 cell_slice(strbuf_slice(&k->config)));
}

static void fill_missing(const struct kconfig *config, struct view *view)
{
	static const struct column columns[] = {
		{ "option" },
		{ "is" },
		{ "wanted" },
		{ "disables", "without it", COLUMN_SHRINK },
	};

	view_init(view, "missing", columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < kernel_options_n; i++) {
		_cleanup_(strbuf_done) struct strbuf found = STRBUF_INIT;
		const struct kernel_option *o = &kernel_options[i];

		if (o->need == KERNEL_OURS || kernel_option_met(o, config))
			continue;
		kernel_option_found(o, config, &found);
		view_row(view, cell_text(o->name),
			 cell_text(arena_strdup(&view->arena, strbuf_slice(&found))),
			 cell_text(o->value), cell_text(o->lost));
	}
}

void doctor_kernel_views(const struct kernel *k, const struct kconfig *config,
			 struct view views[DOCTOR_KERNEL_VIEWS])
{
	fill_kernel(k, &views[0]);
	fill_missing(config, &views[1]);
}
