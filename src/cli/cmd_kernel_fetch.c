// SPDX-License-Identifier: GPL-2.0-only
#include "cli/command.h"
#include "cli/common.h"
#include "cli/kernel_print.h"

static enum render_format arg_format;

static const struct option options[] = {
	OPT_FORMAT(&arg_format, formats),
	OPTIONS_END,
};

static const struct operand operands_[] = {
	{ .name = "VERSION|PACKAGE", .optional = true },
	{},
};

static int run(size_t n, char **operands)
{
	return kernel_make(kernel_fetch, n ? operands[0] : NULL, 1, arg_format);
}

const struct command cmd_kernel_fetch = {
	.name = "kernel fetch",
	.summary = "put a kernel of Debian for virtual machines into the cache",
	.description =
		"Downloads a kernel of Debian through apt and puts it into the cache; nothing is "
		"installed. VERSION (\"6.1\") stands for the newest package of that version whose "
		"name ends in -cloud-amd64 (-cloud-arm64 on arm64), PACKAGE for that very one. "
		"Without either it is the newest " KERNEL_FETCH_VERSION ".\n\nOne that is in the "
		"cache already is not fetched again, which needs no network. Debian's kernels "
		"have no sched_ext: 'ktstr kernel build' makes one that has.",
	.operands = operands_,
	.options = options,
	.run = run,
};
