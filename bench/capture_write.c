// SPDX-License-Identifier: GPL-2.0-only
#include "capture_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#include "ctprof/file.h"
#include "ctprof/snapshot_json.h"
#include "random.h"
#include "util/cleanup.h"
#include "zfile/zfile.h"
#include "json/writer.h"

enum {
	ROUNDS = 9,
	LEVEL = 3,
};

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* As a capture does it: JSON straight into the compressor, which knows its own share. */
static int write_once(struct snapshot *s, int null, struct write_cost *ret)
{
	struct zwriter *z = zwriter_new(null, LEVEL);
	struct zwriter_cost cost;
	struct json_writer w;
	double start = cpu_ms(), all;
	int r;

	json_writer_init(&w, zwriter_write, z, JSON_COMPACT);
	snapshot_json_write(s, &w, NULL, NULL);
	r = json_writer_finish(&w);
	if (!r)
		r = zwriter_finish(z);
	all = cpu_ms() - start;
	cost = zwriter_cost(z);
	zwriter_free(z);
	if (r < 0)
		return r;
	*ret = (struct write_cost){ .zstd_ms = (double)cost.compress_ns / 1e6,
				    .json_mb = (double)cost.in_bytes / 1e6,
				    .file_mb = (double)cost.out_bytes / 1e6,
				    .threads = s->threads.n };
	ret->json_ms = all - ret->zstd_ms;
	return 0;
}

static int by_ratio(const void *a, const void *b)
{
	const struct write_cost *x = a, *y = b;
	double left = x->json_ms * y->zstd_ms, right = y->json_ms * x->zstd_ms;

	return (left > right) - (left < right);
}

/* The median round. */
static int write_often(struct snapshot *s, struct write_cost *ret, struct err *err)
{
	_cleanup_close_ int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct write_cost rounds[ROUNDS];

	for (int i = -1; i < ROUNDS; i++) { /* the first warms up */
		int r = write_once(s, null, &rounds[i < 0 ? 0 : i]);

		if (r < 0)
			return err_set(err, r, "cannot write a snapshot to /dev/null");
	}
	qsort(rounds, ROUNDS, sizeof(*rounds), by_ratio);
	*ret = rounds[ROUNDS / 2];
	return 0;
}

#define fill_COUNT(member)       t->member.v = random_counter(offsetof(struct thread, member) / 8)
#define fill_NS(member)          fill_COUNT(member)
#define fill_TICKS(member)       fill_COUNT(member)
#define fill_BYTES(member)       fill_COUNT(member)
#define fill_PEAK_NS(member)     fill_COUNT(member)
#define fill_PEAK_BYTES(member)  fill_COUNT(member)
#define fill_GAUGE_NS(member)    fill_COUNT(member)
#define fill_GAUGE_COUNT(member) fill_COUNT(member)
#define fill_LETTER(member)
#define fill_ORDINAL_I32(member)
#define fill_ORDINAL_U32(member)
#define fill_TEXT(member)
#define fill_FLAG(member)
#define fill_CPUS(member)
#define fill_DEAD(member)

static void fill(struct thread *t)
{
#define IDENTITY(type, name, reading)
#define FIELD(kind, name, reading) fill_##kind(name);
#include "ctprof/thread.def"
#undef IDENTITY
#undef FIELD
}

int measure_write(const char *path, struct write_cost *ret_idle, struct write_cost *ret_busy,
		  struct err *err)
{
	struct snapshot s = SNAPSHOT_INIT;
	int r;

	r = snapshot_load(path, 0, &s, err);
	if (!r)
		r = write_often(&s, ret_idle, err);
	random_restart();
	for (size_t i = 0; i < s.threads.n; i++)
		fill(&s.threads.v[i]);
	if (!r)
		r = write_often(&s, ret_busy, err);
	snapshot_done(&s);
	return r;
}
