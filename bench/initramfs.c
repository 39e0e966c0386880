// SPDX-License-Identifier: GPL-2.0-only
/*
 * initramfs KTSTR [ROUNDS]: how long the root file system of a guest takes: KTSTR, busybox and a
 * program of a scheduler's size (python3), with all their libraries. Warm is what every run but the
 * first pays: files are read, the archive is found in the cache and checked. Cold is without a
 * cache. Both in turn. Exit 1 when the median of the warm ones is above LIMIT_MS.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tmpdir.h"
#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/parse.h"
#include "vm/initramfs_tree.h"

#define LIMIT_MS    50.0
#define CACHE_BYTES (UINT64_C(512) << 20)

static double now_ms(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

_noreturn_ static void die(const char *why)
{
	fprintf(stderr, "bench initramfs: %s\n", why);
	exit(3);
}

static void add(struct initramfs *fs, const char *path, const char *from)
{
	struct err err;

	if (initramfs_add_program(fs, path, from, &err) < 0)
		die(err.text);
}

struct round {
	double add_ms, total_ms, cpu_ms;
	uint64_t unpacked, packed;
};

/* @cache: NULL for none. */
static struct round run(const char *ktstr, const char *cache)
{
	struct initramfs *fs = initramfs_new();
	double start = now_ms(CLOCK_MONOTONIC), cpu = now_ms(CLOCK_PROCESS_CPUTIME_ID);
	struct round round;
	struct stat st = {};
	struct err err;
	int fd;

	add(fs, "/bin/ktstr", ktstr);
	if (access("/bin/busybox", X_OK) == 0)
		add(fs, "/bin/busybox", "/bin/busybox");
	add(fs, "/scheduler", "/usr/bin/python3");
	round.add_ms = now_ms(CLOCK_MONOTONIC) - start;
	fd = initramfs_cached_in(fs, cache, CACHE_BYTES, &round.unpacked, &err);
	round.total_ms = now_ms(CLOCK_MONOTONIC) - start;
	round.cpu_ms = now_ms(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	if (fd < 0)
		die(err.text);
	if (fstat(fd, &st) < 0)
		die("no size");
	round.packed = (uint64_t)st.st_size;
	close(fd);
	initramfs_free(fs);
	return round;
}

static int compare(const void *a, const void *b)
{
	const struct round *x = a, *y = b;

	return (x->total_ms > y->total_ms) - (x->total_ms < y->total_ms);
}

/* Sorts, prints and returns the median. */
static double report(const char *name, struct round *rounds, size_t n)
{
	const struct round *median = &rounds[n / 2];

	qsort(rounds, n, sizeof(*rounds), compare);
	printf("%-12s %9.1f %9.1f %9.1f %9.1f %9.1f\n", name, rounds[0].total_ms, median->total_ms,
	       rounds[n * 9 / 10].total_ms, median->cpu_ms, median->add_ms);
	return median->total_ms;
}

int main(int argc, char **argv)
{
	uint64_t rounds = 40;
	struct tmpdir cache;
	struct err err;
	double warm_ms;

	if (argc < 2 || (argc > 2 && parse_u64(slice_of(argv[2]), 1, 1000000, &rounds) < 0))
		return 2;
	if (tmpdir_make(&cache, &err) < 0)
		die(err.text);
	_cleanup_free_ struct round *warm = xcalloc(rounds, sizeof(*warm));
	_cleanup_free_ struct round *cold = xcalloc(rounds, sizeof(*cold));

	run(argv[1], cache.path);
	for (size_t i = 0; i < rounds; i++) {
		warm[i] = run(argv[1], cache.path);
		cold[i] = run(argv[1], NULL);
	}
	tmpdir_remove(&cache);
	printf("%.1f MiB, compressed %.1f MiB%s\n", (double)warm[0].unpacked / (1 << 20),
	       (double)warm[0].packed / (1 << 20),
	       access("/bin/busybox", X_OK) == 0 ? "" : " (without busybox, which is not there)");
	printf("%-12s %9s %9s %9s %9s %9s   (ms, %" PRIu64 " runs each, in turn)\n", "initramfs",
	       "min", "median", "p90", "CPU", "reading", rounds);
	warm_ms = report("warm", warm, rounds);
	report("cold", cold, rounds);
	printf("%-12s %19.1f   (must not be above %.0f)\n", "warm median", warm_ms, LIMIT_MS);
	return warm_ms <= LIMIT_MS ? 0 : 1;
}
