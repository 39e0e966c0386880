// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/smaps.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "ctprof/thread_fill.h"
#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/clock.h"

#define FILE_MAX (16u * 1024)

struct row {
	struct thread *leader; /* for smaps_finish() alone */
	uint32_t tgid;
	uint64_t start_time;
	struct keyed keyed;
	enum absence absent;
};

struct smaps_pass {
	struct proc_dir proc;
	pthread_t thread;
	bool started;
	pthread_mutex_t lock;
	pthread_cond_t moved;
	size_t n, done; /* rows below `done` are finished */
	bool abandoned;
	uint64_t wall_ns, cpu_ns;
	struct arena arena;
	struct row rows[];
};

/* The number may belong to another process by now. */
static bool same_process(const struct proc_dir *proc, int dir, const struct row *row, char *buf)
{
	struct proc_stat stat;
	struct slice text;
	char name[32];

	snprintf(name, sizeof(name), "task/%u/stat", row->tgid);
	return proc_read_at(proc, dir, name, buf, FILE_MAX, &text) > 0 &&
	       (proc_stat_parse(text, &stat), stat.start_time == row->start_time);
}

static enum absence read_row(struct smaps_pass *pass, struct row *row, const struct keyed *like)
{
	_cleanup_close_ int dir = proc_open_process(&pass->proc, row->tgid);
	char buf[FILE_MAX];
	struct slice text;
	enum absence why;

	if (dir < 0)
		return ABSENCE_ENDED;
	why = absence_of(proc_read_at(&pass->proc, dir, "smaps_rollup", buf, sizeof(buf), &text));
	if (!why)
		row->keyed = keyed_parse_kb(text, like, &pass->arena);
	if (!same_process(&pass->proc, dir, row, buf)) {
		row->keyed = (struct keyed){};
		return ABSENCE_ENDED;
	}
	return !why && !row->keyed.n ? ABSENCE_ERROR : why;
}

static bool still_wanted(struct smaps_pass *pass)
{
	bool wanted;

	pthread_mutex_lock(&pass->lock);
	wanted = !pass->abandoned;
	pthread_mutex_unlock(&pass->lock);
	return wanted;
}

static void *read_rows(void *smaps_pass)
{
	struct smaps_pass *pass = smaps_pass;
	uint64_t wall = clock_ns(CLOCK_MONOTONIC), cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	const struct keyed *like = NULL;

	for (size_t i = 0; i < pass->n && still_wanted(pass); i++) {
		struct row *row = &pass->rows[i];

		row->absent = read_row(pass, row, like);
		if (row->keyed.n)
			like = &row->keyed;
		pthread_mutex_lock(&pass->lock);
		pass->done = i + 1;
		pass->wall_ns = clock_ns(CLOCK_MONOTONIC) - wall;
		pass->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
		pthread_cond_signal(&pass->moved);
		pthread_mutex_unlock(&pass->lock);
	}
	return NULL;
}

struct smaps_pass *smaps_start(const struct proc_dir *proc, struct thread *const *leaders, size_t n)
{
	struct smaps_pass *pass = xcalloc(1, sizeof(*pass) + n * sizeof(pass->rows[0]));
	pthread_condattr_t attr;

	pass->proc = *proc;
	pass->n = n;
	for (size_t i = 0; i < n; i++)
		pass->rows[i] = (struct row){
			.leader = leaders[i],
			.tgid = leaders[i]->tgid,
			.start_time = leaders[i]->start_time_clock_ticks,
		};
	pthread_mutex_init(&pass->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&pass->moved, &attr);
	pthread_condattr_destroy(&attr);
	pass->started = pthread_create(&pass->thread, NULL, read_rows, pass) == 0;
	if (!pass->started)
		read_rows(pass);
	return pass;
}

/* How many rows are done: all, or those before one that takes too long. */
static size_t wait_for_rows(struct smaps_pass *pass, unsigned patience_ms)
{
	size_t before;

	pthread_mutex_lock(&pass->lock);
	do {
		struct timespec until = clock_after(CLOCK_MONOTONIC, patience_ms);
		int late = 0;

		before = pass->done;
		while (pass->done == before && pass->done < pass->n && !late)
			late = pthread_cond_timedwait(&pass->moved, &pass->lock, &until);
	} while (pass->done != before);
	pass->abandoned = before < pass->n;
	pthread_mutex_unlock(&pass->lock);
	return before;
}

static struct smaps_result hand_out(struct smaps_pass *pass, size_t done)
{
	struct smaps_result result = {};

	for (size_t i = 0; i < pass->n; i++) {
		const struct row *row = &pass->rows[i];
		enum absence why = i < done ? row->absent : ABSENCE_ERROR;

		if (!why)
			row->leader->smaps_rollup_kb = row->keyed;
		thread_set_absent(row->leader, READING_SMAPS, why);
		result.failures += why && why != ABSENCE_ENDED;
	}
	return result;
}

struct smaps_result smaps_finish(struct smaps_pass *pass, unsigned patience_ms, struct arena *arena)
{
	size_t done = wait_for_rows(pass, patience_ms);
	struct smaps_result result = hand_out(pass, done);

	/* A reader that hangs keeps its memory: the kernel may let it go on any time. */
	if (done < pass->n) {
		pthread_detach(pass->thread);
		return result;
	}
	if (pass->started)
		pthread_join(pass->thread, NULL);
	result.wall_ns = pass->wall_ns;
	result.cpu_ns = pass->cpu_ns;
	arena_absorb(arena, &pass->arena);
	pthread_cond_destroy(&pass->moved);
	pthread_mutex_destroy(&pass->lock);
	free(pass);
	return result;
}
