// SPDX-License-Identifier: GPL-2.0-only
#include "cli/command.h"
#include "cli/common.h"
#include "cli/kernel_print.h"
#include "util/cleanup.h"
#include "util/log.h"

static enum render_format arg_format;

static const struct option options[] = {
	OPT_FORMAT(&arg_format, formats),
	OPTIONS_END,
};

static int run(size_t n, char **operands)
{
	_cleanup_(strbuf_done) struct strbuf cache = STRBUF_INIT, arch = STRBUF_INIT;
	_cleanup_(kernel_entries_done) struct kernel_entries entries = {};
	int code = kernel_cache_open(&cache, &arch);
	struct err err;

	(void)n;
	(void)operands;
	if (code != EXIT_OK)
		return code;
	if (kernel_cache_list(cache.s, arch.s, &entries, &err) < 0) {
		log_error("%s", err.text);
		return EXIT_TROUBLE;
	}
	if (!entries.list.n)
		log_info("the cache '%s' is empty: 'ktstr kernel fetch' and 'ktstr kernel build' "
			 "fill it",
			 cache.s);
	return kernel_print(entries.list.v, entries.list.n, "kernels", arg_format);
}

const struct command cmd_kernel_list = {
	.name = "kernel list",
	.summary = "list the kernels in the cache",
	.description = "Lists the kernels in the cache, newest first: where each came from, when "
		       "it was made and whether it is valid. Only valid ones are booted.",
	.options = options,
	.run = run,
};
