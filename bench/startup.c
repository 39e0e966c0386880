// SPDX-License-Identifier: GPL-2.0-only
/* startup PROGRAM [ROUNDS]: how long `PROGRAM --version` takes from spawn to exit, against
 * /bin/true in the same run. Both are started in turn, so that whatever else the machine does hits
 * both. Exit 1 when the median is not below LIMIT times that of /bin/true. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/parse.h"

#define LIMIT 2.0

extern char **environ;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Wall time of one run in ns; ends the program when the run fails. */
static uint64_t run(char *const *argv, const posix_spawn_file_actions_t *quiet)
{
	uint64_t start = now_ns();
	int status;
	pid_t pid;

	errno = posix_spawn(&pid, argv[0], quiet, NULL, argv, environ);
	if (errno || waitpid(pid, &status, 0) < 0 || status) {
		fprintf(stderr, "startup: '%s' did not run\n", argv[0]);
		exit(3);
	}
	return now_ns() - start;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Sorts; prints and returns the median in us. */
static double report(const char *name, uint64_t *ns, size_t n)
{
	qsort(ns, n, sizeof(*ns), compare);
	printf("%-20s %9.1f %9.1f %9.1f\n", name, (double)ns[0] / 1e3, (double)ns[n / 2] / 1e3,
	       (double)ns[n * 9 / 10] / 1e3);
	return (double)ns[n / 2] / 1e3;
}

int main(int argc, char **argv)
{
	char *const base[] = { (char *)"/bin/true", NULL };
	char *const ours[] = { argc > 1 ? argv[1] : NULL, (char *)"--version", NULL };
	posix_spawn_file_actions_t quiet;
	uint64_t rounds = 500;
	double ratio;

	if (argc < 2 || (argc > 2 && parse_u64(slice_of(argv[2]), 1, 1000000, &rounds) < 0))
		return 2;
	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
	_cleanup_free_ uint64_t *base_ns = xcalloc(rounds, sizeof(*base_ns));
	_cleanup_free_ uint64_t *ours_ns = xcalloc(rounds, sizeof(*ours_ns));

	for (size_t i = 0; i < rounds; i++) {
		base_ns[i] = run(base, &quiet);
		ours_ns[i] = run(ours, &quiet);
	}
	posix_spawn_file_actions_destroy(&quiet);
	printf("%-20s %9s %9s %9s   (us, %" PRIu64 " runs each, in turn)\n", "start-up", "min",
	       "median", "p90", rounds);
	ratio = report("/bin/true", base_ns, rounds);
	ratio = report("ktstr --version", ours_ns, rounds) / ratio;
	printf("%-20s %19.2f   (must be below %.1f)\n", "ratio", ratio, LIMIT);
	return ratio < LIMIT ? 0 : 1;
}
