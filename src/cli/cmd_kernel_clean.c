// SPDX-License-Identifier: GPL-2.0-only
#include "cli/command.h"
#include "cli/common.h"
#include "cli/kernel_print.h"
#include "util/cleanup.h"
#include "util/log.h"

static enum render_format arg_format;
static uint64_t arg_keep;
static bool arg_all;

enum {
	EXCLUSIVE_HOW_MANY = 1 << 0,
};

static const struct option options[] = {
	OPT_U64('k', "keep", &arg_keep, "N", 0, UINT32_MAX, UINT64_MAX,
		"keep the N newest valid kernels; without it all valid ones",
		.exclusive = EXCLUSIVE_HOW_MANY),
	OPT_FLAG('a', "all", &arg_all, "keep none", .exclusive = EXCLUSIVE_HOW_MANY),
	OPT_FORMAT(&arg_format, formats),
	OPTIONS_END,
};

static int run(size_t n, char **operands)
{
	_cleanup_(strbuf_done) struct strbuf cache = STRBUF_INIT, arch = STRBUF_INIT;
	_cleanup_(kernel_entries_done) struct kernel_entries entries = {}, removed = {};
	int code = kernel_cache_open(&cache, &arch);
	struct err err;

	(void)n;
	(void)operands;
	if (code != EXIT_OK)
		return code;
	if (kernel_cache_list(cache.s, arch.s, &entries, &err) < 0 ||
	    kernel_cache_clean(cache.s, arg_all ? 0 : arg_keep, &entries, &removed, &err) < 0) {
		log_error("%s", err.text);
		code = EXIT_TROUBLE;
	}
	if (kernel_print(removed.list.v, removed.list.n, "removed", arg_format) != EXIT_OK)
		code = EXIT_TROUBLE;
	log_info("%zu removed, %zu kept", removed.list.n, entries.list.n);
	return code;
}

const struct command cmd_kernel_clean = {
	.name = "kernel clean",
	.summary = "remove kernels from the cache",
	.description =
		"Removes the kernels that are not valid, and valid ones beyond the number to keep, "
		"oldest first; also what a build that was killed left, and logs of builds that "
		"failed. Prints what it removed. A kernel that is being made is left alone.",
	.options = options,
	.run = run,
};
