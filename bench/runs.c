// SPDX-License-Identifier: GPL-2.0-only
#include "runs.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/parse.h"
#include "util/strbuf.h"

bool run_exists(const char *name)
{
	struct slice rest = slice_of(getenv("PATH") ?: ""), folder;
	struct strbuf path = STRBUF_INIT;
	bool found = false;

	while (!found && slice_cut(&rest, ':', &folder)) {
		strbuf_reset(&path);
		strbuf_addslice(&path, folder);
		strbuf_addf(&path, "/%s", name);
		found = access(path.s, X_OK) == 0;
	}
	strbuf_done(&path);
	return found;
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double timeval_ms(struct timeval t)
{
	return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

/* The largest size of a program counts from before its exec, when it was a copy of us: so we have
 * to stay small for rss_mib to be the program's own. */
int run_program(char *const *argv, struct run *ret, struct err *err)
{
	posix_spawn_file_actions_t quiet;
	double start = now_ms();
	struct rusage usage;
	int status = 0, r;
	pid_t pid;

	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
	r = posix_spawnp(&pid, argv[0], &quiet, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&quiet);
	if (r)
		return err_set(err, -r, "cannot run '%s': %s", argv[0], strerror(r));
	if (wait4(pid, &status, 0, &usage) != pid)
		return err_set(err, -errno, "lost '%s': %m", argv[0]);
	if (status)
		return err_set(err, -ECHILD, "'%s' ended with wait status %#x", argv[0],
			       (unsigned)status);
	*ret = (struct run){
		.wall_ms = now_ms() - start,
		.cpu_ms = timeval_ms(usage.ru_utime) + timeval_ms(usage.ru_stime),
		.rss_mib = (double)usage.ru_maxrss / 1024,
	};
	return 0;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Of the member that lies @offset bytes into a run. */
static double median_of(const struct run *runs, size_t n, size_t offset)
{
	_cleanup_free_ double *values = xcalloc(n, sizeof(*values));

	for (size_t i = 0; i < n; i++)
		memcpy(&values[i], (const char *)&runs[i] + offset, sizeof(values[i]));
	qsort(values, n, sizeof(*values), compare);
	return values[n / 2];
}

struct run run_medians(const struct run *runs, size_t n)
{
	return (struct run){
		.wall_ms = median_of(runs, n, offsetof(struct run, wall_ms)),
		.cpu_ms = median_of(runs, n, offsetof(struct run, cpu_ms)),
		.rss_mib = median_of(runs, n, offsetof(struct run, rss_mib)),
	};
}

/* Of all processors since boot; 0 when it cannot be read. */
static double machine_busy_ms(void)
{
	_cleanup_fclose_ FILE *f = fopen("/proc/stat", "re");
	struct slice rest, word;
	uint64_t ticks, sum = 0;
	char line[512];

	if (!f || !fgets(line, sizeof(line), f))
		return 0;
	rest = slice_of(line);
	/* cpu user nice system IDLE IOWAIT irq softirq steal; what follows is part of these. */
	for (int i = 0; i < 9 && slice_word(&rest, &word); i++)
		if (i && i != 4 && i != 5 && parse_u64(word, 0, UINT64_MAX, &ticks) == 0)
			sum += ticks;
	return (double)sum * 1e3 / (double)sysconf(_SC_CLK_TCK);
}

static double usage_ms(int who)
{
	struct rusage usage = {};

	getrusage(who, &usage);
	return timeval_ms(usage.ru_utime) + timeval_ms(usage.ru_stime);
}

void others_begin(struct others *since)
{
	*since = (struct others){ .wall_ms = now_ms(),
				  .busy_ms = machine_busy_ms(),
				  .ours_ms = usage_ms(RUSAGE_SELF) + usage_ms(RUSAGE_CHILDREN) };
}

double others_share(const struct others *since)
{
	struct others now;
	double share;

	others_begin(&now);
	share = (now.busy_ms - since->busy_ms - (now.ours_ms - since->ours_ms)) /
		((now.wall_ms - since->wall_ms) * (double)sysconf(_SC_NPROCESSORS_ONLN));
	return share > 0 ? share : 0;
}
