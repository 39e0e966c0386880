// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include "cli/command.h"
#include "cli/common.h"
#include "kernel/options.h"
#include "render/render.h"
#include "util/cleanup.h"

static enum render_format arg_format;

static const struct option options[] = {
	OPT_FORMAT(&arg_format, formats),
	OPTIONS_END,
};

static const char *const needs[] = {
	[KERNEL_REQUIRED] = "required",
	[KERNEL_FEATURE] = "feature",
	[KERNEL_OURS] = "ours",
};

static int print_rows(void)
{
	static const struct column columns[] = {
		{ "option" }, { "value" }, { "need" }, { "without" }
	};
	struct view view;
	int r;

	view_init(&view, "options", columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < kernel_options_n; i++) {
		const struct kernel_option *o = &kernel_options[i];

		view_row(&view, cell_text(o->name), cell_text(o->value), cell_text(needs[o->need]),
			 cell_text(o->lost));
	}
	r = arg_format == RENDER_CSV ? render_csv(&view, stdout)
				     : render_document(&view, 1, arg_format, NULL, stdout);
	view_done(&view);
	return r < 0 ? EXIT_TROUBLE : EXIT_OK;
}

static int run(size_t n, char **operands)
{
	_cleanup_(strbuf_done) struct strbuf lines = STRBUF_INIT;

	(void)n;
	(void)operands;
	if (arg_format != RENDER_TABLE)
		return print_rows();
	kernel_fragment(&lines);
	fputs(lines.s, stdout);
	return EXIT_OK;
}

const struct command cmd_kernel_config = {
	.name = "kernel config",
	.summary = "print the options of the kernels that ktstr builds",
	.description =
		"Prints what 'ktstr kernel build' adds to tinyconfig, as lines for a .config. JSON "
		"and CSV tell for each option how much it matters and what is lost without it.",
	.options = options,
	.run = run,
};
