// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/walk.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctprof/thread_read.h"
#include "sys/proc_cgroup.h"
#include "util/alloc.h"
#include "util/cleanup.h"

void walk_done(struct walk *w)
{
	for (size_t i = 0; i < w->n_processes; i++)
		proc_ids_done(&w->processes[i].tids);
	free(w->processes);
	free(w->tasks);
	free(w->threads);
	free(w->kept);
	free(w->kernel);
	arena_done(&w->arena);
}

/* Runs @work in w->jobs threads, one of them ours; fewer when no more can be had. */
static void run_workers(struct walk *w, void *(*work)(void *walk))
{
	pthread_t others[CAPTURE_JOBS_MAX];
	unsigned n = 0;

	assert(w->jobs >= 1 && w->jobs <= CAPTURE_JOBS_MAX);
	atomic_store(&w->next, 0);
	while (n + 1 < w->jobs && pthread_create(&others[n], NULL, work, w) == 0)
		n++;
	work(w);
	while (n > 0)
		pthread_join(others[--n], NULL);
}

/* The group of a whole process, so that its threads need not be asked one by one. */
static const char *common_cgroup(struct walk *w, uint32_t tgid)
{
	_cleanup_close_ int dir = proc_open_process(&w->proc, tgid);
	char text[THREAD_FILE_MAX];
	struct slice whole, path;
	struct cgroup_path group;

	if (dir < 0 || proc_read_at(&w->proc, dir, "cgroup", text, sizeof(text), &whole) <= 0 ||
	    !proc_cgroup_path(whole, &path))
		return NULL;
	group = cgroup_paths_add(w->cgroups, path);
	return group.may_differ ? NULL : group.path;
}

static void *list_threads(void *walk)
{
	struct walk *w = walk;
	size_t i;

	while ((i = atomic_fetch_add(&w->next, 1)) < w->n_processes) {
		struct walk_process *p = &w->processes[i];

		p->listed = proc_list_threads(&w->proc, p->tgid, &p->tids);
		/* A process of one thread is asked when that thread is. */
		if (p->tids.ids.n > 1 && capture_wants(w->options, SOURCE_CGROUP))
			p->cgroup = common_cgroup(w, p->tgid);
	}
	return NULL;
}

static void take_processes(struct walk *w, const struct proc_ids *ids)
{
	w->processes = xcalloc(ids->ids.n, sizeof(*w->processes));
	w->n_processes = ids->ids.n;
	for (size_t i = 0; i < ids->ids.n; i++)
		w->processes[i].tgid = ids->ids.v[i];
}

static void lay_out_tasks(struct walk *w)
{
	struct walk_task *task;

	for (size_t i = 0; i < w->n_processes; i++)
		w->n_tasks += w->processes[i].tids.ids.n;
	w->tasks = task = xcalloc(w->n_tasks, sizeof(*w->tasks));
	for (size_t i = 0; i < w->n_processes; i++)
		for (size_t k = 0; k < w->processes[i].tids.ids.n; k++)
			*task++ = (struct walk_task){ .process = (uint32_t)i,
						      .tid = w->processes[i].tids.ids.v[k] };
}

int walk_list(struct walk *w, struct err *err)
{
	struct proc_ids ids = {};
	int r = 0;

	if (w->options->only_tgid)
		vec_push(&ids.ids, w->options->only_tgid);
	else
		r = proc_list_processes(&w->proc, &ids);
	if (r < 0)
		return err_set(err, r, "cannot list processes: %s", strerror(-r));
	take_processes(w, &ids);
	proc_ids_done(&ids);
	run_workers(w, list_threads);
	lay_out_tasks(w);
	return 0;
}

static void hand_over(struct walk *w, struct thread_reader *r)
{
	pthread_mutex_lock(&w->lock);
	for (size_t i = 0; i < PARSE_FILE_COUNT; i++)
		w->totals.failures[i] += r->totals.failures[i];
	for (size_t i = 0; i < ABSENCE_COUNT; i++)
		w->totals.unopened[i] += r->totals.unopened[i];
	w->totals.negative += r->totals.negative;
	w->totals.taskstats_ok += r->totals.taskstats_ok;
	w->totals.taskstats_eperm += r->totals.taskstats_eperm;
	w->totals.taskstats_esrch += r->totals.taskstats_esrch;
	w->totals.taskstats_other += r->totals.taskstats_other;
	arena_absorb(&w->arena, &r->arena);
	pthread_mutex_unlock(&w->lock);
}

static void *read_threads(void *walk)
{
	struct walk *w = walk;
	_cleanup_free_ struct thread_reader *r = xcalloc(1, sizeof(*r));
	size_t first;

	thread_reader_init(r, w);
	while ((first = atomic_fetch_add(&w->next, w->batch)) < w->n_tasks) {
		size_t left = w->n_tasks - first;

		thread_read_batch(r, first, left < w->batch ? left : w->batch);
	}
	hand_over(w, r);
	thread_reader_done(r);
	return NULL;
}

/* The leader's name, or the file that has it when the leader could not be read. */
static const char *process_name(struct walk *w, const struct walk_process *p, size_t first)
{
	_cleanup_close_ int dir = -1;
	struct slice text;
	char buf[256];

	for (size_t i = first; i < first + p->tids.ids.n; i++)
		if (w->tasks[i].tid == p->tgid && w->kept[i] && *w->threads[i].comm)
			return w->threads[i].comm;
	dir = proc_open_process(&w->proc, p->tgid);
	if (dir < 0 || proc_read_at(&w->proc, dir, "comm", buf, sizeof(buf), &text) <= 0)
		return "";
	return arena_strdup(&w->arena, slice_trim(text));
}

static void name_processes(struct walk *w)
{
	size_t first = 0;

	for (size_t i = 0; i < w->n_processes; i++) {
		size_t n = w->processes[i].tids.ids.n;
		const char *name = n ? process_name(w, &w->processes[i], first) : "";

		for (size_t k = first; k < first + n; k++)
			w->threads[k].pcomm = name;
		first += n;
	}
}

void walk_read(struct walk *w)
{
	w->threads = xcalloc(w->n_tasks, sizeof(*w->threads));
	w->kept = xcalloc(w->n_tasks, sizeof(*w->kept));
	w->kernel = xcalloc(w->n_tasks, sizeof(*w->kernel));
	run_workers(w, read_threads);
	name_processes(w);
}
