// SPDX-License-Identifier: GPL-2.0-only
#include <unistd.h>

#include "cli/command.h"
#include "cli/common.h"
#include "cli/kernel_print.h"

#define JOBS_MAX 1024

static enum render_format arg_format;
static const char *arg_source;
static uint64_t arg_jobs;

static const struct option options[] = {
	OPT_STRING('s', "source", &arg_source, "SOURCE", KERNEL_BUILD_SOURCE,
		   "a source tree, a tarball, or a package of Debian's sources",
		   .complete = COMPLETE_FILE),
	OPT_U64('j', "jobs", &arg_jobs, "N", 1, JOBS_MAX, 0,
		"compile N files at a time; without it as many as there are CPUs"),
	OPT_FORMAT(&arg_format, formats),
	OPTIONS_END,
};

static unsigned choose_jobs(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (arg_jobs)
		return (unsigned)arg_jobs;
	return cpus < 1 ? 1 : cpus > JOBS_MAX ? JOBS_MAX : (unsigned)cpus;
}

static int run(size_t n, char **operands)
{
	(void)n;
	(void)operands;
	return kernel_make(kernel_build, arg_source, choose_jobs(), arg_format);
}

const struct command cmd_kernel_build = {
	.name = "kernel build",
	.summary = "build a kernel with sched_ext and put it into the cache",
	.description =
		"Builds a kernel that has everything ktstr uses, with the options that 'ktstr "
		"kernel config' prints, and puts it into the cache. It takes some minutes, and "
		"more than a gigabyte of the cache while it lasts. A source tree is not changed; "
		"a package is downloaded through apt and not installed.\n\nThe same source is not "
		"built twice with the same options. Options that the source does not take are "
		"named; without those that are required the kernel is refused.",
	.options = options,
	.run = run,
};
