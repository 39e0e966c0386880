// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/smaps.h"

#include <errno.h>
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
		return dir == -ENOENT ? ABSENCE_ENDED : absence_of(dir);
	why = absence_of(proc_read_at(&pass->proc, dir, "smaps_rollup", buf, sizeof(buf), &text));
	if (!why)
		row->keyed = keyed_parse_kb(text, like, &pass->arena);
	if (!same_process(&pass->proc, dir, row, buf)) {
		row->keyed = (struct keyed){};
		return ABSENCE_ENDED;
	}
	return !why && !row->keyed.n ? ABSENCE_ERROR : why;
}

static void pass_free(struct smaps_pass *pass)
{
	arena_done(&pass->arena);
	pthread_cond_destroy(&pass->moved);
	pthread_mutex_destroy(&pass->lock);
	free(pass);
}

/* False once nobody waits any more. */
static bool finish_row(struct smaps_pass *pass, size_t i, uint64_t wall_ns, uint64_t cpu_ns)
{
	bool wanted;

	pthread_mutex_lock(&pass->lock);
	pass->done = i + 1;
	pass->wall_ns = clock_ns(CLOCK_MONOTONIC) - wall_ns;
	pass->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
	wanted = !pass->abandoned;
	pthread_cond_signal(&pass->moved);
	pthread_mutex_unlock(&pass->lock);
	return wanted;
}

/* False when nobody waits for the rest: then the pass is the reader's to free. After the last row
 * it belongs to whoever waits. */
static bool read_rows(struct smaps_pass *pass)
{
	uint64_t wall_ns = clock_ns(CLOCK_MONOTONIC), cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	const struct keyed *like = NULL;
	size_t n = pass->n;

	for (size_t i = 0; i < n; i++) {
		struct row *row = &pass->rows[i];

		row->absent = read_row(pass, row, like);
		if (row->keyed.n)
			like = &row->keyed;
		if (!finish_row(pass, i, wall_ns, cpu_ns))
			return false;
	}
	return true;
}

static void *read_in_thread(void *pass)
{
	if (!read_rows(pass))
		pass_free(pass);
	return NULL;
}

struct smaps_pass *smaps_start(const struct proc_dir *proc, struct thread *threads,
			       const size_t *leaders, size_t n)
{
	struct smaps_pass *pass = xcalloc(1, sizeof(*pass) + n * sizeof(pass->rows[0]));
	pthread_condattr_t attr;

	pass->proc = *proc;
	pass->n = n;
	for (size_t i = 0; i < n; i++) {
		struct thread *leader = &threads[leaders[i]];

		pass->rows[i] = (struct row){
			.leader = leader,
			.tgid = leader->tgid,
			.start_time = leader->start_time_clock_ticks,
		};
	}
	pthread_mutex_init(&pass->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&pass->moved, &attr);
	pthread_condattr_destroy(&attr);
	pass->started = pthread_create(&pass->thread, NULL, read_in_thread, pass) == 0;
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
	pthread_mutex_unlock(&pass->lock);
	return before;
}

/* Leaves a reader that is not at its end to itself; the kernel may let it go on any time. */
static bool give_up(struct smaps_pass *pass, size_t done)
{
	pthread_t reader = pass->thread;

	if (done == pass->n)
		return false;
	pthread_mutex_lock(&pass->lock);
	if (pass->done == pass->n) {
		pthread_mutex_unlock(&pass->lock);
		return false;
	}
	pass->abandoned = true;
	pthread_detach(reader);
	pthread_mutex_unlock(&pass->lock);
	return true;
}

static struct keyed copy_keyed(struct keyed keyed, struct arena *arena)
{
	struct keyed_row *rows = arena_alloc_array(arena, keyed.n, sizeof(*rows));

	for (size_t i = 0; i < keyed.n; i++)
		rows[i] = (struct keyed_row){ arena_strdup(arena, slice_of(keyed.rows[i].name)),
					      keyed.rows[i].v };
	return (struct keyed){ rows, keyed.n };
}

/* The leaders get what is done. */
static uint64_t hand_out(struct smaps_pass *pass, size_t done, struct arena *arena)
{
	uint64_t failures = 0;

	for (size_t i = 0; i < pass->n; i++) {
		const struct row *row = &pass->rows[i];
		enum absence why = i < done ? row->absent : ABSENCE_ERROR;

		if (!why)
			row->leader->smaps_rollup_kb =
				done < pass->n ? copy_keyed(row->keyed, arena) : row->keyed;
		thread_set_absent(row->leader, READING_SMAPS, why);
		failures += why && why != ABSENCE_ENDED;
	}
	return failures;
}

struct smaps_result smaps_finish(struct smaps_pass *pass, unsigned patience_ms, struct arena *arena)
{
	struct smaps_result result = {};
	size_t done = wait_for_rows(pass, patience_ms);

	result.failures = hand_out(pass, done, arena);
	if (give_up(pass, done))
		return result;
	if (pass->started)
		pthread_join(pass->thread, NULL);
	result.wall_ns = pass->wall_ns;
	result.cpu_ns = pass->cpu_ns;
	arena_absorb(arena, &pass->arena);
	pass_free(pass);
	return result;
}
