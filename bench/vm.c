// SPDX-License-Identifier: GPL-2.0-only
/*
 * vm KTSTR [ROUNDS]: `ktstr shell --exec true` against a QEMU that boots the same kernel to an init
 * that ends it at once, in turn; and two guests with one vCPU each at the same time against one.
 * Everything is emulated, so that the machine's KVM does not matter. Exit 1 when a limit is missed.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/kernel.h"
#include "runs.h"
#include "tmpdir.h"
#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/clock.h"
#include "util/parse.h"
#include "vm/initramfs.h"

#define LIMIT_BOOT     1.15
#define LIMIT_PARALLEL 1.6
#define ROUNDS         5
#define CROWD_MAX      2
/* Some seconds of work under emulation, next to which booting is little. */
#define WORK "i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done"

_noreturn_ static void die(const char *why)
{
	fprintf(stderr, "bench vm: %s\n", why);
	exit(3);
}

/* Beside this program. */
static void own_neighbour(const char *name, struct strbuf *ret)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n < 0)
		die("cannot tell where this program is");
	path[n] = '\0';
	strbuf_addf(ret, "%.*s/%s", (int)(strrchr(path, '/') - path), path, name);
}

static void write_file(const char *path, struct slice bytes)
{
	_cleanup_fclose_ FILE *f = fopen(path, "we");

	if (!f || fwrite(bytes.s, 1, bytes.n, f) != bytes.n || fflush(f) != 0)
		die("cannot write the archive");
}

static void make_archive(const char *path)
{
	_cleanup_(strbuf_done) struct strbuf init = STRBUF_INIT, archive = STRBUF_INIT;
	struct initramfs *fs = initramfs_new();
	struct err err;

	own_neighbour("vm_init", &init);
	if (initramfs_add_file(fs, "/init", init.s, &err) < 0)
		die(err.text);
	initramfs_write(fs, &archive);
	write_file(path, strbuf_slice(&archive));
	initramfs_free(fs);
}

static struct run run_once(const struct strv *argv)
{
	struct run run;
	struct err err;

	if (run_program(argv->v, &run, &err) < 0)
		die(err.text);
	return run;
}

static void bare_argv(const char *kernel, const char *archive, struct strv *ret)
{
	static const char *const words[] = { "qemu-system-x86_64",
					     "-accel",
					     "tcg",
					     "-M",
					     "q35",
					     "-m",
					     "512",
					     "-nodefaults",
					     "-display",
					     "none",
					     "-no-reboot",
					     "-append",
					     "quiet panic=-1",
					     "-kernel" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		strv_add(ret, words[i]);
	strv_add(ret, kernel);
	strv_add(ret, "-initrd");
	strv_add(ret, archive);
}

static void shell_argv(const char *ktstr, const char *kernel, const char *command, struct strv *ret)
{
	const char *const words[] = { ktstr,      "shell", "--accel", "tcg",
				      "--kernel", kernel,  "--exec",  command };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		strv_add(ret, words[i]);
}

static void print_row(const char *name, const struct run *run, double ratio)
{
	printf("%-34s %10.0f %10.0f %8.2f\n", name, run->wall_ms, run->cpu_ms, ratio);
}

static bool compare_boots(const char *ktstr, const char *kernel, const char *archive, size_t rounds)
{
	_cleanup_(strv_done) struct strv bare = STRV_INIT, shell = STRV_INIT;
	_cleanup_free_ struct run *bares = xcalloc(rounds, sizeof(*bares));
	_cleanup_free_ struct run *shells = xcalloc(rounds, sizeof(*shells));
	struct run b, s;

	bare_argv(kernel, archive, &bare);
	shell_argv(ktstr, kernel, "true", &shell);
	(void)run_once(&shell); /* the cache is warm for all that count */
	for (size_t i = 0; i < rounds; i++) {
		bares[i] = run_once(&bare);
		shells[i] = run_once(&shell);
	}
	b = run_medians(bares, rounds);
	s = run_medians(shells, rounds);
	printf("%-34s %10s %10s %8s\n", "boot, median", "wall ms", "CPU ms", "ratio");
	print_row("qemu -kernel -initrd", &b, 1.0);
	print_row("ktstr shell --exec true", &s, s.wall_ms / b.wall_ms);
	return s.wall_ms <= LIMIT_BOOT * b.wall_ms;
}

/* Wall time of @n at once. */
static double run_side_by_side(const struct strv *argv, unsigned n)
{
	uint64_t start = clock_ns(CLOCK_MONOTONIC);
	pid_t pids[CROWD_MAX];
	int status;

	fflush(NULL);
	for (unsigned i = 0; i < n; i++) {
		pids[i] = fork();
		if (pids[i] < 0)
			die("cannot fork");
		if (pids[i] == 0) {
			(void)run_once(argv);
			_exit(0);
		}
	}
	for (unsigned i = 0; i < n; i++)
		if (waitpid(pids[i], &status, 0) < 0 || status)
			die("a guest failed");
	return (double)(clock_ns(CLOCK_MONOTONIC) - start) / 1e6;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static bool compare_crowds(const char *ktstr, const char *kernel, size_t rounds)
{
	_cleanup_(strv_done) struct strv argv = STRV_INIT;
	_cleanup_free_ double *gains = xcalloc(rounds, sizeof(*gains));
	double one = 0, two = 0;

	shell_argv(ktstr, kernel, WORK, &argv);
	for (size_t i = 0; i < rounds; i++) {
		one = run_side_by_side(&argv, 1);
		two = run_side_by_side(&argv, 2);
		gains[i] = 2 * one / two;
	}
	qsort(gains, rounds, sizeof(*gains), compare);
	printf("two guests at once: %.2f times the throughput of one (last: %.0f ms, %.0f ms)\n",
	       gains[rounds / 2], one, two);
	return gains[rounds / 2] >= LIMIT_PARALLEL;
}

int main(int argc, char **argv)
{
	_cleanup_(kernel_done) struct kernel kernel = KERNEL_INIT;
	_cleanup_(strbuf_done) struct strbuf archive = STRBUF_INIT;
	struct tmpdir dir;
	uint64_t rounds = ROUNDS;
	struct err err;
	bool boots, crowds;

	if (argc < 2 || (argc > 2 && parse_u64(slice_of(argv[2]), 1, 100, &rounds) < 0))
		die("vm KTSTR [ROUNDS]");
	if (!run_exists("qemu-system-x86_64") || kernel_find(NULL, &kernel, &err) < 0) {
		puts("not measured: no QEMU or no kernel; type 'ktstr kernel fetch'");
		return 0;
	}
	if (tmpdir_make(&dir, &err) < 0)
		die(err.text);
	strbuf_addf(&archive, "%s/initrd", dir.path);
	make_archive(archive.s);
	printf("kernel %s\n", kernel.release.s);
	boots = compare_boots(argv[1], kernel.image.s, archive.s, rounds);
	crowds = compare_crowds(argv[1], kernel.image.s, rounds);
	tmpdir_remove(&dir);
	printf("limits: boot %.2f, two guests %.1f: %s\n", LIMIT_BOOT, LIMIT_PARALLEL,
	       boots && crowds ? "held" : "MISSED");
	return boots && crowds ? 0 : 1;
}
