// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/thread_fill.h"

#include "sys/proc_io.h"
#include "sys/proc_sched.h"
#include "sys/proc_schedstat.h"
#include "sys/proc_status.h"

void thread_init(struct thread *t, uint32_t tgid, uint32_t tid)
{
	*t = (struct thread){ .tid = tid, .tgid = tgid, .pcomm = "", .comm = "", .cgroup = "" };
	t->policy.v = "";
	t->state.v = STATE_UNKNOWN;
}

void thread_fill_schedstat(struct thread *t, struct slice text)
{
	struct proc_schedstat s = {};

	if (proc_schedstat_parse(text, &s) < 0)
		thread_set_absent(t, READING_SCHEDSTAT, ABSENCE_ERROR);
	t->run_time_ns.v = s.run_time_ns;
	t->wait_time_ns.v = s.wait_time_ns;
	t->timeslices.v = s.timeslices;
}

void thread_fill_io(struct thread *t, struct slice text)
{
	struct proc_io io = {};

	if (proc_io_parse(text, &io) < 0)
		thread_set_absent(t, READING_IO, ABSENCE_ERROR);
#define IO_KEY(name) t->name.v = io.name;
#include "sys/proc_io.def"
#undef IO_KEY
}

/* As proc_sched.def has them. */
enum key_group {
	ALWAYS,
	SCHEDSTATS,
	SLEEPS,
	FORCEIDLE,
	SLICE,
};

static uint64_t keys_of(enum key_group wanted)
{
	return 0
#define SCHED_KEY(name, form, group) | (uint64_t)((group) == wanted) << SCHED_KEY_##name
#include "sys/proc_sched.def"
#undef SCHED_KEY
		;
}

/* Why a group is not there as a whole. @none: why it may be missing altogether; @some: in part. */
static enum absence why_not(const struct proc_sched *s, enum key_group group, enum absence none,
			    enum absence some)
{
	uint64_t keys = keys_of(group), has = s->has & keys;

	if (has == keys)
		return ABSENCE_NONE;
	if (s->malformed & keys)
		return ABSENCE_ERROR;
	return has ? some : none;
}

/* What a kernel always prints tells a file that is whole from one that was cut. */
static bool is_whole(const struct proc_sched *s)
{
	return proc_sched_has(s, SCHED_KEY_nr_migrations) &&
	       proc_sched_has(s, SCHED_KEY_nr_voluntary_switches) &&
	       proc_sched_has(s, SCHED_KEY_nr_involuntary_switches);
}

static enum absence why_no_ext(const struct proc_sched *s, enum absence missing)
{
	if (s->has_ext)
		return ABSENCE_NONE;
	return s->ext_malformed ? ABSENCE_ERROR : missing;
}

static void judge_sched(struct thread *t, const struct proc_sched *s, enum absence off)
{
	bool on = (s->has | s->malformed) & keys_of(SCHEDSTATS);
	enum absence lacks = is_whole(s) ? ABSENCE_UNSUPPORTED : ABSENCE_ERROR;

	if (on || !is_whole(s))
		off = lacks;
	if (!proc_sched_has(s, SCHED_KEY_nr_migrations))
		thread_set_absent(t, READING_SCHED, ABSENCE_ERROR);
	if (!proc_sched_has(s, SCHED_KEY_nr_voluntary_switches) ||
	    !proc_sched_has(s, SCHED_KEY_nr_involuntary_switches))
		thread_set_absent(t, READING_SWITCHES, ABSENCE_ERROR);
	thread_set_absent(t, READING_SCHEDSTATS, why_not(s, SCHEDSTATS, off, lacks));
	thread_set_absent(t, READING_SLEEPS, why_not(s, SLEEPS, off, lacks));
	thread_set_absent(t, READING_FORCEIDLE, why_not(s, FORCEIDLE, off, lacks));
	thread_set_absent(t, READING_SLICE, why_not(s, SLICE, lacks, lacks));
	thread_set_absent(t, READING_EXT, why_no_ext(s, lacks));
}

/* Times blocked are part of the times asleep. */
static uint64_t voluntary_sleep(const struct proc_sched *s)
{
	if (!proc_sched_has(s, SCHED_KEY_sum_sleep_runtime) ||
	    !proc_sched_has(s, SCHED_KEY_sum_block_runtime) ||
	    s->sum_sleep_runtime < s->sum_block_runtime)
		return 0;
	return s->sum_sleep_runtime - s->sum_block_runtime;
}

static void copy_sched(struct thread *t, const struct proc_sched *s)
{
	t->nr_migrations.v = s->nr_migrations;
	t->voluntary_csw.v = s->nr_voluntary_switches;
	t->nonvoluntary_csw.v = s->nr_involuntary_switches;
	t->nr_wakeups.v = s->nr_wakeups;
	t->nr_wakeups_local.v = s->nr_wakeups_local;
	t->nr_wakeups_remote.v = s->nr_wakeups_remote;
	t->nr_wakeups_sync.v = s->nr_wakeups_sync;
	t->nr_wakeups_migrate.v = s->nr_wakeups_migrate;
	t->nr_wakeups_affine.v = s->nr_wakeups_affine;
	t->nr_wakeups_affine_attempts.v = s->nr_wakeups_affine_attempts;
	t->nr_forced_migrations.v = s->nr_forced_migrations;
	t->nr_failed_migrations_affine.v = s->nr_failed_migrations_affine;
	t->nr_failed_migrations_running.v = s->nr_failed_migrations_running;
	t->nr_failed_migrations_hot.v = s->nr_failed_migrations_hot;
	t->wait_sum.v = s->wait_sum;
	t->wait_count.v = s->wait_count;
	t->wait_max.v = s->wait_max;
	t->voluntary_sleep_ns.v = voluntary_sleep(s);
	t->sleep_max.v = s->sleep_max;
	t->block_sum.v = s->sum_block_runtime;
	t->block_max.v = s->block_max;
	t->iowait_sum.v = s->iowait_sum;
	t->iowait_count.v = s->iowait_count;
	t->exec_max.v = s->exec_max;
	t->slice_max.v = s->slice_max;
	t->core_forceidle_sum.v = s->core_forceidle_sum;
	t->fair_slice_ns.v = s->slice;
	t->ext_enabled.v = s->ext_enabled;
}

void thread_fill_sched(struct thread *t, struct slice text, enum absence off, unsigned *negative)
{
	struct proc_sched s;

	proc_sched_parse(text, &s);
	*negative += s.negative;
	copy_sched(t, &s);
	judge_sched(t, &s, off);
}

void thread_lack_sched(struct thread *t, enum absence why)
{
	static const enum reading all[] = { READING_SCHED,     READING_SCHEDSTATS, READING_SLEEPS,
					    READING_FORCEIDLE, READING_SLICE,      READING_EXT,
					    READING_SWITCHES };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		thread_set_absent(t, all[i], why);
}

static const char *policy_name(int32_t policy, struct arena *arena)
{
	char buf[PROC_POLICY_ROOM];
	const char *name = proc_policy_name(policy, buf);

	return name == buf ? arena_strdup(arena, slice_of(buf)) : name;
}

bool thread_fill_stat(struct thread *t, struct slice text, struct arena *arena)
{
	struct proc_stat s = {};
	struct slice comm;
	int r = proc_stat_parse(text, &s);

	if (r < 0)
		thread_set_absent(t, READING_STAT, ABSENCE_ERROR);
	comm = slice_trim(s.comm);
	if (comm.n)
		t->comm = arena_strdup(arena, comm);
	else
		thread_set_absent(t, READING_COMM, r < 0 ? ABSENCE_ERROR : ABSENCE_NONE);
	t->start_time_clock_ticks = s.start_time;
	t->policy.v = r == 0 || s.policy != -1 ? policy_name(s.policy, arena) : "";
	t->nice.v = s.nice;
	t->processor.v = s.processor;
	t->minflt.v = s.minflt;
	t->majflt.v = s.majflt;
	t->utime_clock_ticks.v = s.utime;
	t->stime_clock_ticks.v = s.stime;
	t->priority.v = s.priority;
	t->rt_priority.v = s.rt_priority;
	if (s.state)
		t->state.v = s.state;
	if (t->tid == t->tgid)
		t->nr_threads.v = s.num_threads;
	/* The kernel counts no threads for one that it is about to forget. */
	if (!s.state || (r < 0 && !s.num_threads))
		thread_set_absent(t, READING_STATE, ABSENCE_ERROR);
	return s.kernel_thread;
}

void thread_lack_stat(struct thread *t, enum absence why)
{
	static const enum reading all[] = { READING_STAT, READING_COMM, READING_STATE };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		thread_set_absent(t, all[i], why);
}

void thread_fill_status(struct thread *t, struct slice text)
{
	struct proc_status s;

	proc_status_parse(text, &s);
	if (t->absent[READING_STATE] && s.state && s.has_threads) {
		t->state.v = s.state;
		if (t->tid == t->tgid)
			t->nr_threads.v = s.threads;
		thread_set_absent(t, READING_STATE, ABSENCE_NONE);
	}
	if (t->absent[READING_SWITCHES] && s.has_voluntary && s.has_nonvoluntary) {
		t->voluntary_csw.v = s.voluntary_switches;
		t->nonvoluntary_csw.v = s.nonvoluntary_switches;
		thread_set_absent(t, READING_SWITCHES, ABSENCE_NONE);
	}
}
