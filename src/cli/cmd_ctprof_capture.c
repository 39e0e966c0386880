// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/common.h"
#include "cli/sysroot.h"
#include "ctprof/capture.h"
#include "ctprof/explain.h"
#include "ctprof/file.h"
#include "util/cleanup.h"
#include "util/log.h"

static const char *arg_output, *arg_proc_root, *arg_sys_root, *arg_cgroup_root;
static uint64_t arg_pid, arg_jobs;
static enum capture_engine arg_engine;
static enum capture_heap arg_heap;
static bool arg_no_heap, arg_no_smaps, arg_no_taskstats, arg_quiet;
static struct strv arg_sources;

static const struct choice engines[] = {
#define ENGINE(id, name) { name, ENGINE_##id },
#include "ctprof/engines.def"
#undef ENGINE
	{},
};

static const struct choice heaps[] = {
#define HEAP(id, name) { name, HEAP_##id },
#include "ctprof/heaps.def"
#undef HEAP
	{},
};

static const struct choice sources[] = {
#define SOURCE(id, name) { name, SOURCE_##id },
#include "ctprof/sources.def"
#undef SOURCE
	{},
};

enum {
	EXCLUSIVE_HEAP = 1 << 0,
};

static const struct option options[] = {
	OPT_STRING('o', "output", &arg_output, "FILE", NULL,
		   "write the snapshot to FILE, '-' for standard output",
		   .complete = COMPLETE_FILE),
	OPT_U64('p', "pid", &arg_pid, "PID", 1, INT32_MAX, 0, "only the threads of process PID"),
	OPT_CHOICE(0, "engine", &arg_engine, "ENGINE", engines, ENGINE_AUTO,
		   "how to read the threads"),
	OPT_U64('j', "jobs", &arg_jobs, "N", 1, CAPTURE_JOBS_MAX, 0,
		"workers that read; without it as many as the load leaves room for"),
	OPT_CHOICE(0, "heap", &arg_heap, "HOW", heaps, HEAP_AUTO,
		   "how to read the heap counters of jemalloc", .exclusive = EXCLUSIVE_HEAP),
	OPT_FLAG(0, "no-heap", &arg_no_heap, "same as --heap off", .exclusive = EXCLUSIVE_HEAP),
	OPT_FLAG(0, "no-smaps", &arg_no_smaps,
		 "do not read the memory of processes, which costs most for large ones"),
	OPT_FLAG(0, "no-taskstats", &arg_no_taskstats, "do not ask for delays over netlink"),
	OPT_LIST(0, "sources", &arg_sources, "LIST",
		 "read these sources and no others but stat, which names the threads",
		 .choices = sources),
	OPT_FLAG('q', "quiet", &arg_quiet, "no summary on standard error"),
	OPT_STRING(0, "proc-root", &arg_proc_root, "DIR", NULL,
		   "read DIR in place of /proc, for recorded trees", .complete = COMPLETE_DIR),
	OPT_STRING(0, "sys-root", &arg_sys_root, "DIR", NULL, "read DIR in place of /sys",
		   .complete = COMPLETE_DIR),
	OPT_STRING(0, "cgroup-root", &arg_cgroup_root, "DIR", NULL,
		   "read DIR in place of the cgroup v2 mount", .complete = COMPLETE_DIR),
	OPTIONS_END,
};

static unsigned wanted_sources(void)
{
	unsigned wanted = 0;

	for (size_t i = 0; i < arg_sources.n; i++)
		wanted |= 1u << choice_find(sources, arg_sources.v[i])->value;
	if (!arg_sources.n)
		wanted = CAPTURE_ALL_SOURCES;
	if (arg_no_smaps)
		wanted &= ~(1u << SOURCE_SMAPS);
	if (arg_no_taskstats)
		wanted &= ~(1u << SOURCE_TASKSTATS);
	return wanted;
}

#define CGROUP_GRAFT "cgroup-root"

static int open_root(struct root *root)
{
	const struct {
		const char *at, *dir;
	} grafts[] = {
		{ "proc", arg_proc_root },
		{ "sys", arg_sys_root },
		{ CGROUP_GRAFT, arg_cgroup_root },
	};
	int code = sysroot_open(root, "/");
	struct err err;

	for (size_t i = 0; code == EXIT_OK && i < ARRAY_SIZE(grafts); i++)
		if (grafts[i].dir && root_graft(root, grafts[i].at, grafts[i].dir, &err) < 0) {
			log_error("%s", err.text);
			code = EXIT_TROUBLE;
		}
	return code;
}

static bool to_stdout(void)
{
	return strcmp(arg_output, "-") == 0;
}

static int check_output(void)
{
	if (!arg_output || !*arg_output) {
		log_error("ctprof capture: where to write is missing; type 'ktstr ctprof capture "
			  "-o FILE'");
		return EXIT_USAGE;
	}
	if (to_stdout() && isatty(STDOUT_FILENO)) {
		log_error("ctprof capture: a snapshot is not for terminals; type 'ktstr ctprof "
			  "capture -o FILE'");
		return EXIT_USAGE;
	}
	return EXIT_OK;
}

static void tell(const struct snapshot *s, const struct capture_options *o)
{
	_cleanup_(strbuf_done) struct strbuf counts = STRBUF_INIT;
	_cleanup_(strv_done) struct strv lines = STRV_INIT;
	uint64_t ms = (s->capture.end_boottime_ns - s->capture.start_boottime_ns) / 1000000;

	if (arg_quiet)
		return;
	explain_counts(s, &counts);
	log_info("wrote %s%s%s: %s, taken in %u.%03u s", to_stdout() ? "" : "'",
		 to_stdout() ? "standard output" : arg_output, to_stdout() ? "" : "'", counts.s,
		 (unsigned)(ms / 1000), (unsigned)(ms % 1000));
	explain_capture(s, o, &lines);
	for (size_t i = 0; i < lines.n; i++)
		log_info("%s", lines.v[i]);
}

static int run(size_t n, char **operands)
{
	_cleanup_(root_close) struct root root = ROOT_INIT;
	_cleanup_(snapshot_done) struct snapshot snapshot = SNAPSHOT_INIT;
	struct capture_options o = {
		.root = &root,
		.cgroup_point = arg_cgroup_root ? CGROUP_GRAFT : NULL,
		.only_tgid = (uint32_t)arg_pid,
		.engine = arg_engine,
		.heap = arg_no_heap ? HEAP_OFF : arg_heap,
		.sources = wanted_sources(),
		.jobs = (unsigned)arg_jobs,
		.as_root = geteuid() == 0,
	};
	struct capture_clock clock;
	struct err err;
	int code;

	(void)n;
	(void)operands;
	code = check_output();
	if (code == EXIT_OK)
		code = open_root(&root);
	if (code != EXIT_OK)
		return code;
	if (capture(&o, &snapshot, &err) < 0) {
		log_error("%s", err.text);
		return EXIT_TROUBLE;
	}
	clock = capture_clock_start();
	code = to_stdout() ? snapshot_write(&snapshot, STDOUT_FILENO, capture_close, &clock, &err)
			   : snapshot_save(&snapshot, arg_output, capture_close, &clock, &err);
	if (code < 0) {
		log_error("%s", err.text);
		return EXIT_TROUBLE;
	}
	tell(&snapshot, &o);
	return EXIT_OK;
}

const struct command cmd_ctprof_capture = {
	.name = "ctprof capture",
	.summary = "write a snapshot of every thread of the host",
	.description =
		"Reads every thread of the host, or of one process, and writes what it found to a "
		"file: times and delays in the scheduler, page faults, I/O, memory, cgroups, "
		"pressure, sched_ext. Two such files can be compared.\n\nNothing is stopped or "
		"changed. What cannot be read is absent in the file with a reason, never a zero, "
		"and the summary on standard error says what helps. The file appears under its "
		"name when it is whole.",
	.options = options,
	.run = run,
};
