// SPDX-License-Identifier: GPL-2.0-only
/*
 * capture KTSTR: what `ktstr ctprof capture` costs on a host of 10,000 threads, against what people
 * use today to look at all threads. All are run in turn, so that whatever else the machine does
 * hits all; ratios are between medians of this one run. Exit 1 when a target is missed, 77 when
 * none was missed but one could not be judged.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture_write.h"
#include "crowd.h"
#include "runs.h"
#include "tmpdir.h"
#include "util/compiler.h"
#include "util/err.h"

enum {
	ROUNDS = 9,
	PROCESSES = 100,
	THREADS_EACH = 100,
	HALF = 5000, /* threads of the two crowds that differ in shape only */
};

#define SNAPSHOT "snapshot"

enum tool {
	OURS,
	PS,
	TOP,
	PIDSTAT,
	ATOP,
	TOOL_COUNT
};

static struct {
	const char *label;
	const char *argv[12];
	bool waits; /* sleeps on purpose: its wall time says nothing */
	bool there;
} tools[TOOL_COUNT] = {
	[OURS] = { "ktstr ctprof capture, 2 jobs",
		   { "ktstr", "ctprof", "capture", "--engine", "procfs", "--jobs", "2", "--quiet",
		     "-o", SNAPSHOT } },
	[PS] = { "ps -eLo, 10 columns",
		 { "ps", "-eLo", "pid,tid,comm,stat,psr,cls,ni,min_flt,maj_flt,time" } },
	[TOP] = { "top -H -b -n1", { "top", "-H", "-b", "-n1" } },
	[PIDSTAT] = { "pidstat -t -u -r -d -w", { "pidstat", "-t", "-u", "-r", "-d", "-w" } },
	[ATOP] = { "atop -w FILE 1 1", { "atop", "-w", "atop.raw", "1", "1" }, .waits = true },
};

static bool missed, unjudged;

_noreturn_ static void die(const struct err *err)
{
	fprintf(stderr, "bench capture: %s\n", err->text);
	exit(3);
}

static struct run run(enum tool tool)
{
	struct run got;
	struct err err;

	if (run_program((char *const *)tools[tool].argv, &got, &err) < 0)
		die(&err);
	return got;
}

static void start(struct crowd *crowd, size_t processes, size_t threads_each)
{
	struct err err;

	if (crowd_start(crowd, processes, threads_each, &err) < 0)
		die(&err);
}

/* One target: @measured must not be above @limit. */
static void judge(const char *what, double measured, double limit)
{
	bool met = measured <= limit;

	printf("%-58s %8.2f %8.2f  %s\n", what, measured, limit, met ? "ok" : "MISSED");
	missed |= !met;
}

static void judge_not(const char *what, const char *why)
{
	printf("%-58s %8s %8s  not judged: %s\n", what, "-", "-", why);
	unjudged = true;
}

static void print_others(double share)
{
	printf("(others had %.0f %% of the processors meanwhile)\n", share * 100);
}

static void print_contest(const struct run medians[TOOL_COUNT], double others)
{
	const struct run *ps = tools[PS].there ? &medians[PS] : NULL;

	printf("%d threads in %d processes, medians of %d rounds in turn after a warm-up\n",
	       PROCESSES * THREADS_EACH, PROCESSES, ROUNDS);
	print_others(others);
	printf("%-32s %9s %9s %9s %9s %9s\n", "", "wall ms", "CPU ms", "RSS MiB", "wall/ps",
	       "CPU/ps");
	for (enum tool t = 0; t < TOOL_COUNT; t++) {
		const struct run *m = &medians[t];

		printf("%-32s ", tools[t].label);
		if (!tools[t].there) {
			printf("%9s\n", "not installed, skipped");
			continue;
		}
		if (tools[t].waits)
			printf("%9s %9.1f %9.1f %9s", "-", m->cpu_ms, m->rss_mib, "-");
		else
			printf("%9.1f %9.1f %9.1f %9.2f", m->wall_ms, m->cpu_ms, m->rss_mib,
			       ps ? m->wall_ms / ps->wall_ms : 0);
		printf(" %9.2f\n", ps ? m->cpu_ms / ps->cpu_ms : 0);
	}
}

/* Every tool on a large crowd, and our system calls: 0 when they could not be counted. The last
 * snapshot stays for measuring how it is written. */
static void contest(struct run medians[TOOL_COUNT], uint64_t *ret_calls, struct err *why_not)
{
	struct run runs[TOOL_COUNT][ROUNDS];
	struct others others;
	struct crowd crowd;

	start(&crowd, PROCESSES, THREADS_EACH);
	others_begin(&others);
	for (int i = -1; i < ROUNDS; i++) /* the first warms up */
		for (enum tool t = 0; t < TOOL_COUNT; t++)
			if (tools[t].there)
				runs[t][i < 0 ? 0 : i] = run(t);
	for (enum tool t = 0; t < TOOL_COUNT; t++)
		if (tools[t].there)
			medians[t] = run_medians(runs[t], ROUNDS);
	print_contest(medians, others_share(&others));
	if (run_count_syscalls((char *const *)tools[OURS].argv, ret_calls, why_not) < 0)
		*ret_calls = 0;
	crowd_stop(&crowd);
}

/* A capture once the crowd is no longer new to the kernel's caches. */
static struct run run_on(size_t processes, size_t threads_each)
{
	struct crowd crowd = {};
	struct run got;

	if (processes)
		start(&crowd, processes, threads_each);
	run(OURS);
	got = run(OURS);
	if (processes)
		crowd_stop(&crowd);
	return got;
}

/* What a thread adds, when all are in one process and when they are spread over many. The capture
 * of the host without the crowd is taken off. */
static void shapes(struct run *ret_one, struct run *ret_many)
{
	struct run idle[ROUNDS], one[ROUNDS], many[ROUNDS], none;
	struct others others;

	others_begin(&others);
	for (int i = 0; i < ROUNDS; i++) {
		idle[i] = run_on(0, 0);
		one[i] = run_on(1, HALF);
		many[i] = run_on(PROCESSES, HALF / PROCESSES);
	}
	none = run_medians(idle, ROUNDS);
	*ret_one = run_medians(one, ROUNDS);
	*ret_many = run_medians(many, ROUNDS);
	ret_one->wall_ms -= none.wall_ms;
	ret_one->cpu_ms -= none.cpu_ms;
	ret_many->wall_ms -= none.wall_ms;
	ret_many->cpu_ms -= none.cpu_ms;
	printf("\n%-32s %9s %9s   (host without them: %.1f ms wall, %.1f ms CPU, taken off)\n",
	       "us per thread", "wall", "CPU", none.wall_ms, none.cpu_ms);
	printf("%-32s %9.2f %9.2f\n", "1 process x 5000 threads", ret_one->wall_ms * 1e3 / HALF,
	       ret_one->cpu_ms * 1e3 / HALF);
	printf("%-32s %9.2f %9.2f\n", "100 processes x 50 threads", ret_many->wall_ms * 1e3 / HALF,
	       ret_many->cpu_ms * 1e3 / HALF);
	print_others(others_share(&others));
}

static void print_writing(const struct write_cost *idle, const struct write_cost *busy)
{
	printf("\n%-32s %9s %9s %9s %9s\n", "writing, CPU ms", "JSON", "zstd", "MB JSON",
	       "MB file");
	printf("%-32s %9.1f %9.1f %9.1f %9.2f\n", "as captured: all idle", idle->json_ms,
	       idle->zstd_ms, idle->json_mb, idle->file_mb);
	printf("%-32s %9.1f %9.1f %9.1f %9.2f\n\n", "counters filled: all busy", busy->json_ms,
	       busy->zstd_ms, busy->json_mb, busy->file_mb);
}

static void measure_all(void)
{
	struct run medians[TOOL_COUNT], one, many;
	struct err err, why_not = {};
	struct write_cost idle, busy;
	uint64_t calls;

	contest(medians, &calls, &why_not);
	if (rename(SNAPSHOT, "large") < 0)
		exit(3);
	shapes(&one, &many);
	/* Last, because what it takes in memory would be seen in the size of those we start. */
	if (measure_write("large", &idle, &busy, &err) < 0)
		die(&err);
	print_writing(&idle, &busy);
	printf("%-58s %8s %8s\n", "target", "measured", "limit");
	if (tools[PS].there)
		judge("wall time, of that of ps", medians[OURS].wall_ms / medians[PS].wall_ms, 0.8);
	else
		judge_not("wall time, of that of ps", "ps is not installed");
	if (calls)
		judge("system calls per thread", (double)calls / (double)idle.threads, 20);
	else
		judge_not("system calls per thread", why_not.text);
	judge("CPU per thread, 1 x 5000 of that of 100 x 50", one.cpu_ms / many.cpu_ms, 1.2);
	judge("wall per thread, 1 x 5000 of that of 100 x 50", one.wall_ms / many.wall_ms, 1.2);
	judge("JSON writing, of the time of zstd, counters filled", busy.json_ms / busy.zstd_ms,
	      0.25);
	judge("peak RSS, MiB", medians[OURS].rss_mib, 64);
}

int main(int argc, char **argv)
{
	struct tmpdir dir;
	struct err err;
	char *ktstr;

	if (argc != 2)
		return 2;
	ktstr = realpath(argv[1], NULL);
	if (!ktstr) {
		fprintf(stderr, "bench capture: '%s': %m\n", argv[1]);
		return 3;
	}
	if (tmpdir_make(&dir, &err) < 0)
		die(&err);
	if (chdir(dir.path) < 0)
		return 3;
	tools[OURS].argv[0] = ktstr;
	for (enum tool t = 0; t < TOOL_COUNT; t++)
		tools[t].there = t == OURS || run_exists(tools[t].argv[0]);
	measure_all();
	tmpdir_remove(&dir);
	free(ktstr);
	if (missed)
		return 1;
	return unjudged ? 77 : 0;
}
