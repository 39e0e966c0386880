// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/thread_read.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "ctprof/taskstats_fill.h"
#include "ctprof/thread_fill.h"
#include "sys/proc_cgroup.h"
#include "sys/proc_status.h"

/* A thread between its first file and its last. */
struct open_thread {
	struct thread *t;
	const struct walk_process *process;
	int dir;
	unsigned failed; /* bit per enum parse_file; forgotten with the thread */
	unsigned negative;
};

void thread_reader_init(struct thread_reader *r, const struct walk *w)
{
	r->w = w;
	affinity_cache_init(&r->affinity, &r->arena);
	r->link = (struct taskstats_link)TASKSTATS_LINK_INIT;
	if (w->numbers_are_ours && capture_wants(w->options, SOURCE_TASKSTATS))
		r->link_code = taskstats_open(&r->link);
}

void thread_reader_done(struct thread_reader *r)
{
	taskstats_close(&r->link);
	affinity_cache_done(&r->affinity);
	arena_done(&r->arena);
}

/* The text of a file, or why there is none. */
static enum absence read_file(struct thread_reader *r, struct open_thread *o, const char *name,
			      enum capture_source source, enum parse_file file, struct slice *ret)
{
	int code;

	if (!capture_wants(r->w->options, source))
		return ABSENCE_DISABLED;
	code = proc_read_at(&r->w->proc, o->dir, name, r->buf, sizeof(r->buf), ret);
	if (code <= 0)
		o->failed |= 1u << file;
	return absence_of(code);
}

static void read_schedstat(struct thread_reader *r, struct open_thread *o)
{
	struct slice text;
	enum absence why =
		read_file(r, o, "schedstat", SOURCE_SCHEDSTAT, PARSE_FILE_schedstat, &text);

	if (why)
		thread_set_absent(o->t, READING_SCHEDSTAT, why);
	else
		thread_fill_schedstat(o->t, text);
}

static void read_io(struct thread_reader *r, struct open_thread *o)
{
	struct slice text;
	enum absence why = read_file(r, o, "io", SOURCE_IO, PARSE_FILE_io, &text);

	if (why)
		thread_set_absent(o->t, READING_IO, why);
	else
		thread_fill_io(o->t, text);
}

static void read_sched(struct thread_reader *r, struct open_thread *o)
{
	struct slice text;
	enum absence why = read_file(r, o, "sched", SOURCE_SCHED, PARSE_FILE_sched, &text);

	if (why)
		thread_lack_sched(o->t, why);
	else
		thread_fill_sched(o->t, text, r->w->schedstats_off, &o->negative);
}

/* False when the thread cannot be told from one that is gone. */
static bool read_name(struct thread_reader *r, struct open_thread *o)
{
	struct slice text;

	if (*o->t->comm || o->t->start_time_clock_ticks)
		return true;
	if (proc_read_at(&r->w->proc, o->dir, "comm", r->buf, sizeof(r->buf), &text) <= 0)
		return false;
	text = slice_trim(text);
	if (!text.n)
		return false;
	o->t->comm = arena_strdup(&r->arena, text);
	thread_set_absent(o->t, READING_COMM, ABSENCE_NONE);
	return true;
}

/* True when the thread is one of the kernel's. */
static bool read_stat(struct thread_reader *r, struct open_thread *o)
{
	struct slice text;
	enum absence why = read_file(r, o, "stat", SOURCE_STAT, PARSE_FILE_stat, &text);

	if (!why)
		return thread_fill_stat(o->t, text, &r->arena);
	thread_lack_stat(o->t, why);
	return false;
}

/* Only for what nothing else gave. */
static void read_status(struct thread_reader *r, struct open_thread *o)
{
	struct thread *t = o->t;
	struct proc_status status;
	struct slice text;
	enum absence why;

	if (!t->absent[READING_STATE] && !t->absent[READING_SWITCHES] &&
	    !t->absent[READING_AFFINITY])
		return;
	why = read_file(r, o, "status", SOURCE_STATUS, PARSE_FILE_status, &text);
	if (why) {
		/* Without system calls nothing else could have told. */
		if (!r->w->numbers_are_ours)
			thread_set_absent(t, READING_AFFINITY, why);
		return;
	}
	thread_fill_status(t, text);
	if (!t->absent[READING_AFFINITY])
		return;
	proc_status_parse(text, &status);
	t->cpu_affinity.v = affinity_of_list(&r->affinity, status.cpus_allowed_list);
	thread_set_absent(t, READING_AFFINITY, t->cpu_affinity.v ? ABSENCE_NONE : ABSENCE_ERROR);
}

static void read_cgroup(struct thread_reader *r, struct open_thread *o)
{
	struct slice text, path;
	enum absence why;

	if (o->process->cgroup) {
		o->t->cgroup = o->process->cgroup;
		return;
	}
	why = read_file(r, o, "cgroup", SOURCE_CGROUP, PARSE_FILE_cgroup, &text);
	if (!why && proc_cgroup_path(text, &path)) {
		o->t->cgroup = cgroup_paths_add(r->w->cgroups, path).path;
		return;
	}
	/* Whole lines without one of version 2: the kernel has no such hierarchy. */
	if (!why)
		why = text.n && text.s[text.n - 1] == '\n' ? ABSENCE_UNSUPPORTED : ABSENCE_ERROR;
	thread_set_absent(o->t, READING_CGROUP, why);
}

static void read_affinity(struct thread_reader *r, struct open_thread *o)
{
	enum absence why = ABSENCE_UNSUPPORTED;

	if (r->w->numbers_are_ours)
		why = affinity_of_thread(&r->affinity, o->t->tid, &o->t->cpu_affinity.v);
	thread_set_absent(o->t, READING_AFFINITY, why);
}

static void begin(struct thread_reader *r, size_t task, struct open_thread *o)
{
	const struct walk *w = r->w;
	const struct walk_process *process = &w->processes[w->tasks[task].process];

	*o = (struct open_thread){ .t = &w->threads[task], .process = process };
	thread_init(o->t, process->tgid, w->tasks[task].tid);
	o->dir = proc_open_thread(&w->proc, o->t->tgid, o->t->tid);
	if (o->dir < 0) {
		if (o->dir != -ENOENT && o->dir != -ESRCH)
			r->totals.unopened[absence_of(o->dir)]++;
		return;
	}
	read_schedstat(r, o);
	read_io(r, o);
	read_sched(r, o);
	read_affinity(r, o);
}

static void end(struct thread_reader *r, size_t task, struct open_thread *o)
{
	const struct walk *w = r->w;

	if (o->dir < 0)
		return;
	read_cgroup(r, o);
	w->kernel[task] = read_stat(r, o);
	w->kept[task] = read_name(r, o);
	if (w->kept[task]) {
		read_status(r, o);
		for (unsigned file = 0; file < PARSE_FILE_COUNT; file++)
			r->totals.failures[file] += o->failed >> file & 1;
		r->totals.negative += o->negative;
	}
	close(o->dir);
}

static void count_answer(struct walk_totals *totals, int code)
{
	if (code == 0)
		totals->taskstats_ok++;
	else if (code == -EPERM)
		totals->taskstats_eperm++;
	else if (code == -ESRCH)
		totals->taskstats_esrch++;
	else
		totals->taskstats_other++;
}

static void lack_taskstats(const struct thread_reader *r, struct open_thread *threads, size_t n)
{
	enum absence why = ABSENCE_UNSUPPORTED;

	if (!capture_wants(r->w->options, SOURCE_TASKSTATS))
		why = ABSENCE_DISABLED;
	else if (r->link_code < 0 && r->link_code != -ENOENT && r->link_code != -EAFNOSUPPORT &&
		 r->link_code != -EPROTONOSUPPORT)
		why = absence_of(r->link_code);
	for (size_t i = 0; i < n; i++)
		thread_lack_taskstats(threads[i].t, why);
}

static void ask_taskstats(struct thread_reader *r, struct open_thread *threads, size_t n)
{
	struct taskstats_answer answers[TASKSTATS_BATCH];
	pid_t tids[TASKSTATS_BATCH] = {};

	if (r->link.fd < 0) {
		lack_taskstats(r, threads, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		tids[i] = (pid_t)threads[i].t->tid;
	taskstats_get_many(&r->link, tids, n, answers);
	for (size_t i = 0; i < n; i++) {
		count_answer(&r->totals, answers[i].code);
		if (answers[i].code == 0)
			thread_fill_taskstats(threads[i].t, &answers[i].values);
		else
			thread_lack_taskstats(threads[i].t, absence_of(answers[i].code));
	}
}

void thread_read_batch(struct thread_reader *r, size_t first, size_t n)
{
	struct open_thread threads[TASKSTATS_BATCH];

	for (size_t i = 0; i < n; i++)
		begin(r, first + i, &threads[i]);
	ask_taskstats(r, threads, n);
	for (size_t i = 0; i < n; i++)
		end(r, first + i, &threads[i]);
}
