// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include "cli/command.h"
#include "cli/common.h"
#include "ctprof/catalog.h"
#include "render/render.h"

static enum render_format arg_format;
static enum color_mode arg_color;

static const struct option options[] = {
	OPT_FORMAT(&arg_format, formats),
	OPT_COLOR(&arg_color),
	OPTIONS_END,
};

static int run(size_t n, char **operands)
{
	struct table_options table = terminal_table_options(arg_color, true);
	struct view views[CATALOG_COUNT];
	int r;

	(void)n;
	(void)operands;
	catalog_views(views);
	r = render_document(views, CATALOG_COUNT, arg_format, &table, stdout);
	for (int i = 0; i < CATALOG_COUNT; i++)
		view_done(&views[i]);
	return r < 0 ? EXIT_TROUBLE : EXIT_OK;
}

const struct command cmd_ctprof_metric_list = {
	.name = "ctprof metric-list",
	.summary = "list every metric of a thread: what it is and what the kernel needs for it",
	.description =
		"Lists the tags that metrics carry, the sections of the output, every metric of a "
		"thread and every metric that is computed from others.\n\nThe family of a metric "
		"tells how it moves: a counter only grows; an extremum is the largest or smallest "
		"of single events; a gauge and a categorical are of the moment of capture.",
	.options = options,
	.run = run,
};
