// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/capture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "ctprof/facts.h"
#include "ctprof/smaps.h"
#include "ctprof/tally.h"
#include "ctprof/thread_fill.h"
#include "ctprof/walk.h"
#include "sys/proc_cgroup.h"
#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/clock.h"

#define SMAPS_PATIENCE_MS 10000 /* for one process */
#define SPARE_FILES       64    /* open files a capture may need besides those of its threads */

/* Everything that lives as long as one capture. */
struct session {
	const struct capture_options *options;
	const struct root *root;
	struct snapshot *s;
	struct kconfig config;
	struct cgroup_layout layout;
	struct cgroup_paths paths;
	struct walk walk;
	struct smaps_pass *smaps;
	struct capture_clock phase;
};

static void session_done(struct session *x)
{
	cgroup_paths_done(&x->paths, &x->s->arena);
	arena_absorb(&x->s->arena, &x->walk.arena);
	proc_dir_close(&x->walk.proc);
	pthread_mutex_destroy(&x->walk.lock);
	walk_done(&x->walk);
	cgroup_layout_done(&x->layout);
	kconfig_done(&x->config);
}

struct capture_clock capture_clock_start(void)
{
	return (struct capture_clock){ .wall_ns = clock_ns(CLOCK_MONOTONIC),
				       .cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) };
}

static void add_phase(struct snapshot *s, const char *name, uint64_t wall_ns, uint64_t cpu_ns)
{
	vec_push(&s->capture.phases, (struct snapshot_phase){ name, wall_ns, cpu_ns });
}

/* Ends the phase that runs, under @name, and begins the next. */
static void end_phase(struct session *x, const char *name)
{
	struct capture_clock now = capture_clock_start();

	add_phase(x->s, name, now.wall_ns - x->phase.wall_ns, now.cpu_ns - x->phase.cpu_ns);
	x->phase = now;
}

void capture_close(struct snapshot *s, void *ctx)
{
	const struct capture_clock *start = ctx;
	struct capture_clock now = capture_clock_start();
	struct rusage usage = {};

	add_phase(s, "write", now.wall_ns - start->wall_ns, now.cpu_ns - start->cpu_ns);
	s->capture.end_boottime_ns = clock_ns(CLOCK_BOOTTIME);
	if (getrusage(RUSAGE_SELF, &usage) == 0)
		s->capture.max_rss_kb = (uint64_t)usage.ru_maxrss;
}

static size_t batch_size(unsigned jobs)
{
	struct rlimit limit;
	rlim_t each;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY)
		return TASKSTATS_BATCH;
	each = limit.rlim_cur > SPARE_FILES ? (limit.rlim_cur - SPARE_FILES) / jobs : 1;
	return each < 1 ? 1 : each > TASKSTATS_BATCH ? TASKSTATS_BATCH : (size_t)each;
}

static int choose_engine(const struct capture_options *o, struct snapshot *s, struct err *err)
{
	if (o->engine == ENGINE_BPF)
		return err_set(err, -ENOSYS,
			       "this version has no BPF engine; leave '--engine bpf' out");
	if (o->heap == HEAP_BPF || o->heap == HEAP_PTRACE)
		return err_set(err, -ENOSYS,
			       "this version cannot read heap counters; leave '--heap' out");
	s->capture.engine = "procfs";
	if (o->engine == ENGINE_AUTO)
		s->capture.engine_fallback = "this version has no BPF engine";
	return 0;
}

static void begin(struct session *x)
{
	struct snapshot *s = x->s;

	s->schema_name = SNAPSHOT_SCHEMA;
	s->schema_version = SNAPSHOT_VERSION;
	s->captured_at_unix_ns = clock_ns(CLOCK_REALTIME);
	s->capture.present = true;
	s->capture.start_boottime_ns = clock_ns(CLOCK_BOOTTIME);
	x->phase = capture_clock_start();
	facts_boot(x->root, s);
	/* One that cannot be read is empty: what it would say is unknown. */
	if (kconfig_read(x->root, &x->config) < 0)
		kconfig_done(&x->config);
	if (x->options->cgroup_point)
		cgroup_layout_at(x->root, x->options->cgroup_point, &x->layout);
	else if (cgroup_layout_read(x->root, &x->layout) < 0)
		cgroup_layout_done(&x->layout);
	if (x->root->live && capture_wants(x->options, SOURCE_HOST)) {
		s->host = xcalloc(1, sizeof(*s->host));
		hostctx_read(x->root, s->host);
	}
	end_phase(x, "host");
}

static int check_only_process(const struct session *x, struct err *err)
{
	const struct walk_process *p = x->walk.processes;
	uint32_t tgid;

	if (!x->options->only_tgid)
		return 0;
	if (p->listed == -ENOENT || p->listed == -ESRCH)
		return err_set(err, -ESRCH, "no process %u", p->tgid);
	if (p->listed < 0)
		return err_set(err, p->listed, "cannot list the threads of process %u: %s", p->tgid,
			       strerror(-p->listed));
	if (facts_process_of(x->root, p->tgid, &tgid) > 0 && tgid != p->tgid)
		return err_set(err, -ESRCH, "%u is a thread of process %u: type '--pid %u'",
			       p->tgid, tgid, tgid);
	return 0;
}

static int list(struct session *x, struct err *err)
{
	struct walk *w = &x->walk;
	int r = proc_dir_open(x->root, &w->proc);

	if (r < 0)
		return err_set(err, r, "cannot open /proc: %s", strerror(-r));
	w->options = x->options;
	w->cgroups = &x->paths;
	w->numbers_are_ours = facts_numbers_are_ours(x->root);
	w->jobs = x->options->jobs ? x->options->jobs : facts_jobs(x->root);
	w->batch = batch_size(w->jobs);
	w->schedstats_off = facts_schedstats_off(x->root);
	r = walk_list(w, err);
	if (r == 0 && !w->n_processes)
		r = err_set(err, -ENOENT, "there is no process: is this a /proc?");
	if (r == 0)
		r = check_only_process(x, err);
	end_phase(x, "list");
	return r;
}

/* Moves those that were still there into the snapshot; w->kernel moves along. */
static void keep_threads(struct session *x)
{
	struct walk *w = &x->walk;
	size_t n = 0;

	for (size_t i = 0; i < w->n_tasks; i++) {
		if (!w->kept[i])
			continue;
		if (n != i) {
			w->threads[n] = w->threads[i];
			w->kernel[n] = w->kernel[i];
		}
		n++;
	}
	x->s->threads.v = take_ptr(w->threads);
	x->s->threads.n = n;
	x->s->threads.cap = w->n_tasks;
}

static void read_threads(struct session *x)
{
	const struct capture_options *o = x->options;
	enum absence heap = o->heap == HEAP_OFF || !capture_wants(o, SOURCE_HEAP)
				    ? ABSENCE_DISABLED
				    : ABSENCE_UNSUPPORTED;
	struct delay_accounting how = {};

	walk_read(&x->walk);
	keep_threads(x);
	if (x->walk.numbers_are_ours && capture_wants(o, SOURCE_TASKSTATS))
		how = facts_delay_accounting(x->root, &x->config);
	taskstats_judge(x->s->threads.v, x->s->threads.n, &how);
	for (size_t i = 0; i < x->s->threads.n; i++)
		thread_set_absent(&x->s->threads.v[i], READING_HEAP, heap);
	end_phase(x, "threads");
}

/* Kernel threads have no memory of their own to speak of: nothing is read, and nothing is absent.
 */
static void start_smaps(struct session *x)
{
	struct thread *threads = x->s->threads.v;
	VEC(struct thread *) leaders = {};
	bool wanted = capture_wants(x->options, SOURCE_SMAPS);

	for (size_t i = 0; i < x->s->threads.n; i++) {
		if (threads[i].tid != threads[i].tgid || x->walk.kernel[i])
			continue;
		if (wanted)
			vec_push(&leaders, &threads[i]);
		else
			thread_set_absent(&threads[i], READING_SMAPS, ABSENCE_DISABLED);
	}
	x->smaps = smaps_start(&x->walk.proc, leaders.v, leaders.n);
	vec_done(&leaders);
}

static void finish_smaps(struct session *x)
{
	struct smaps_result result = smaps_finish(x->smaps, SMAPS_PATIENCE_MS, &x->s->arena);

	x->walk.totals.failures[PARSE_FILE_smaps_rollup] += result.failures;
	add_phase(x->s, "smaps", result.wall_ns, result.cpu_ns);
}

static void read_cgroup(struct session *x, const char *path)
{
	struct cgroup_source source = { x->root, &x->layout, &x->config };
	struct snapshot *s = x->s;
	const struct cgroup_stats *like =
		s->cgroups.n ? &s->cgroups.v[s->cgroups.n - 1].stats : NULL;
	struct snapshot_cgroup group = { .path = path };
	const char *reason = NULL;
	int r = 0;

	switch (cgroup_path_kind(slice_of(path))) {
	case CGROUP_PATH_DELETED:
		reason = "deleted";
		break;
	case CGROUP_PATH_OUTSIDE:
		reason = "outside namespace";
		break;
	case CGROUP_PATH_ODD:
		reason = absence_name(ABSENCE_ERROR);
		break;
	case CGROUP_PATH_USABLE:
		r = x->layout.point.len
			    ? cgroup_stats_read(&source, path, like, &s->arena, &group.stats)
			    : -EOPNOTSUPP;
		if (r <= 0)
			reason = r == 0        ? "deleted"
				 : r == -EXDEV ? "not mounted"
					       : absence_name(absence_of(r));
		break;
	}
	if (reason)
		vec_push(&s->cgroups_absent, (struct snapshot_cgroup_absent){ path, reason });
	else
		vec_push(&s->cgroups, group);
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Paths are the same pointer when they are the same path. */
static void read_cgroups(struct session *x)
{
	VEC(const char *) paths = {};

	for (size_t i = 0; i < x->s->threads.n; i++) {
		const char *path = x->s->threads.v[i].cgroup;

		if (*path && (!paths.n || paths.v[paths.n - 1] != path))
			vec_push(&paths, path);
	}
	if (paths.n)
		qsort(paths.v, paths.n, sizeof(*paths.v), compare_paths);
	for (size_t i = 0; i < paths.n; i++)
		if (i == 0 || paths.v[i] != paths.v[i - 1])
			read_cgroup(x, paths.v[i]);
	vec_done(&paths);
	end_phase(x, "cgroups");
}

static void read_pressure(struct session *x)
{
	struct snapshot *s = x->s;

	if (capture_wants(x->options, SOURCE_PSI))
		psi_read_host(x->root, &x->config, &s->psi);
	else
		for (size_t i = 0; i < PSI_COUNT; i++)
			s->psi.resource[i].absence = ABSENCE_DISABLED;
	if (capture_wants(x->options, SOURCE_SCHEDEXT))
		schedext_read(x->root, &s->schedext);
	else
		s->schedext.absence = ABSENCE_DISABLED;
	end_phase(x, "pressure");
}

static void sum_up(struct session *x)
{
	const struct walk *w = &x->walk;
	uint64_t processes[ABSENCE_COUNT] = {};

	for (size_t i = 0; i < w->n_processes; i++)
		if (w->processes[i].listed < 0 && w->processes[i].listed != -ENOENT &&
		    w->processes[i].listed != -ESRCH)
			processes[absence_of(w->processes[i].listed)]++;
	tally_absence(x->s, processes);
	if (!x->root->live)
		return;
	tally_parse(x->s, w->n_tasks, w->totals.failures, w->totals.negative);
	x->s->taskstats = (struct taskstats_summary){
		.present = true,
		.ok_count = w->totals.taskstats_ok,
		.eperm_count = w->totals.taskstats_eperm,
		.esrch_count = w->totals.taskstats_esrch,
		.other_err_count = w->totals.taskstats_other,
	};
}

int capture(const struct capture_options *options, struct snapshot *ret, struct err *err)
{
	_cleanup_(session_done) struct session x = {
		.options = options,
		.root = options->root,
		.s = ret,
		.config = KCONFIG_INIT,
		.layout = CGROUP_LAYOUT_INIT,
		.walk = { .proc = { .fd = -1 }, .lock = PTHREAD_MUTEX_INITIALIZER },
	};
	int r = choose_engine(options, ret, err);

	cgroup_paths_init(&x.paths, x.root, &x.layout);
	if (r < 0)
		return r;
	begin(&x);
	r = list(&x, err);
	if (r < 0)
		return r;
	read_threads(&x);
	start_smaps(&x);
	read_cgroups(&x);
	read_pressure(&x);
	finish_smaps(&x);
	sum_up(&x);
	return 0;
}
