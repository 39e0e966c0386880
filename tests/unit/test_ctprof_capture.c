// SPDX-License-Identifier: GPL-2.0-only
/* Parts of a capture that golden cases do not reach: facts about the host, memory, tallies. */
#include "unit.h"

#include <string.h>

#include "ctprof/affinity.h"
#include "ctprof/facts.h"
#include "ctprof/smaps.h"
#include "ctprof/tally.h"
#include "tree.h"
#include "util/cleanup.h"

static void jobs_leave_room_for_the_load(void **state)
{
	static const struct {
		const char *online, *loadavg;
		unsigned jobs;
	} rows[] = {
		{ "0", "0.00 0 0 1/1 1\n", 1 },         { "0-1", "0.00 0 0 1/1 1\n", 2 },
		{ "0-3", "0.00 0 0 1/1 1\n", 3 },       { "0-3", "2.50 0 0 1/1 1\n", 1 },
		{ "0-3", "9999.99 0 0 1/1 1\n", 1 },    { "0-3", "garbage\n", 3 },
		{ "0-127", "0.00 0 0 1/1 1\n", 64 },    { "0-129", "0.00 0 0 1/1 1\n", 64 },
		{ "0-4095", "100.00 0 0 1/1 1\n", 64 }, { "0-7", "", 5 },
		{ "nothing", "0.00 0 0 1/1 1\n", 1 },
	};
	struct tree tree;

	(void)state;
	tree_init(&tree);
	assert_int_equal(facts_jobs(&tree.root), 1);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		tree_file(&tree, "sys/devices/system/cpu/online", rows[i].online);
		tree_file(&tree, "proc/loadavg", rows[i].loadavg);
		if (facts_jobs(&tree.root) != rows[i].jobs)
			fail_msg("%s CPUs, load %s: %u", rows[i].online, rows[i].loadavg,
				 facts_jobs(&tree.root));
	}
	tree_done(&tree);
}

static void why_there_are_no_schedstats_is_found_by_the_switch(void **state)
{
	struct tree tree;

	(void)state;
	tree_init(&tree);
	/* As with subset=pid: no switch can be seen. */
	assert_int_equal(facts_schedstats_off(&tree.root), ABSENCE_ERROR);
	tree_file(&tree, "proc/sys/kernel/ostype", "Linux\n");
	assert_int_equal(facts_schedstats_off(&tree.root), ABSENCE_UNSUPPORTED);
	tree_file(&tree, "proc/sys/kernel/sched_schedstats", "0\n");
	assert_int_equal(facts_schedstats_off(&tree.root), ABSENCE_DISABLED);
	tree_done(&tree);
}

static void pressure_that_is_not_shown_is_no_fault_of_the_kernel(void **state)
{
	_cleanup_(kconfig_done) struct kconfig config = KCONFIG_INIT;
	struct tree tree;
	struct psi psi;

	(void)state;
	tree_init(&tree);
	facts_pressure(&tree.root, &config, &psi);
	assert_int_equal(psi.resource[PSI_CPU].absence, ABSENCE_ERROR);
	tree_file(&tree, "proc/sys/kernel/ostype", "Linux\n");
	facts_pressure(&tree.root, &config, &psi);
	assert_int_equal(psi.resource[PSI_CPU].absence, ABSENCE_UNSUPPORTED);
	tree_done(&tree);
}

static void threads_are_hidden_when_the_first_process_is(void **state)
{
	struct tree tree;

	(void)state;
	tree_init(&tree);
	tree_file(&tree, "proc/loadavg", "0.00 0.00 0.00 1/123 4567\n");
	assert_int_equal(facts_hidden_threads(&tree.root, false, 3), 0);
	tree.root.live = true;
	assert_int_equal(facts_hidden_threads(&tree.root, true, 3), 0);
	assert_int_equal(facts_hidden_threads(&tree.root, false, 3), 120);
	assert_int_equal(facts_hidden_threads(&tree.root, false, 200), 1);
	tree_done(&tree);
}

static void numbers_are_ours_only_in_our_own_proc(void **state)
{
	_cleanup_(root_close) struct root root = ROOT_INIT;
	struct tree tree;

	(void)state;
	tree_init(&tree);
	tree_link(&tree, "proc/self", "1");
	assert_false(facts_numbers_are_ours(&tree.root));
	/* As in a container that has the /proc of its host. */
	tree.root.live = true;
	assert_false(facts_numbers_are_ours(&tree.root));
	assert_int_equal(root_open(&root, "/", NULL), 0);
	assert_true(facts_numbers_are_ours(&root));
	tree_done(&tree);
}

static void a_boot_is_known_by_its_id_and_namespace(void **state)
{
	struct snapshot s = SNAPSHOT_INIT;
	struct tree tree;

	(void)state;
	tree_init(&tree);
	facts_boot(&tree.root, &s);
	assert_string_equal(s.boot_id, "");
	assert_int_equal(s.pidns, 0);
	tree_file(&tree, "proc/sys/kernel/random/boot_id", "abc-def\n");
	tree_link(&tree, "proc/self/ns/pid", "pid:[4026531836]");
	facts_boot(&tree.root, &s);
	assert_string_equal(s.boot_id, "abc-def");
	assert_int_equal(s.pidns, 4026531836);
	tree_done(&tree);
	snapshot_done(&s);
}

static void a_thread_leads_to_its_process(void **state)
{
	uint32_t tgid = 0;
	struct tree tree;

	(void)state;
	tree_init(&tree);
	tree_file(&tree, "proc/9/status", "Name:\tTgid:\nTgid:\t7\n");
	assert_int_equal(facts_process_of(&tree.root, 9, &tgid), 1);
	assert_int_equal(tgid, 7);
	assert_int_equal(facts_process_of(&tree.root, 8, &tgid), 0);
	tree_done(&tree);
}

static void equal_masks_are_kept_once(void **state)
{
	struct arena arena = ARENA_INIT;
	struct affinity_cache cache;
	const struct cpuset *a, *ours = NULL;

	(void)state;
	affinity_cache_init(&cache, &arena);
	a = affinity_of_list(&cache, SLICE_LIT("0-3"));
	assert_int_equal(cpuset_count(a), 4);
	assert_ptr_equal(affinity_of_list(&cache, SLICE_LIT("0,1,2,3")), a);
	assert_ptr_not_equal(affinity_of_list(&cache, SLICE_LIT("0-2")), a);
	assert_null(affinity_of_list(&cache, SLICE_LIT("")));
	assert_null(affinity_of_list(&cache, SLICE_LIT("3-1")));
	assert_int_equal(affinity_of_thread(&cache, (uint32_t)getpid(), &ours), ABSENCE_NONE);
	assert_false(cpuset_is_empty(ours));
	assert_int_equal(affinity_of_thread(&cache, INT32_MAX, &ours), ABSENCE_ENDED);
	affinity_cache_done(&cache);
	arena_done(&arena);
}

static struct thread leader(uint32_t tgid, uint64_t start)
{
	return (struct thread){ .tgid = tgid, .tid = tgid, .start_time_clock_ticks = start };
}

#define STAT(start)                                                                                \
	"1 (a) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 " start                                     \
	" 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"

static void memory_belongs_to_the_process_that_was_read(void **state)
{
	_cleanup_(proc_dir_close) struct proc_dir proc = { .fd = -1 };
	struct thread t[] = { leader(1, 50), leader(2, 50), leader(3, 50),
			      leader(4, 50), leader(5, 50), leader(1, 50) };
	const struct thread *ours = &t[0], *reused = &t[1], *gone = &t[2], *empty = &t[3],
			    *lacking = &t[4], *other = &t[5];
	static const size_t leaders[] = { 0, 1, 2, 3, 4 };
	struct arena arena = ARENA_INIT;
	struct smaps_result result;
	struct tree tree;

	(void)state;
	tree_init(&tree);
	tree_file(&tree, "proc/1/smaps_rollup", "0-1 ---p 0 0:0 0 [rollup]\nRss: 12 kB\n");
	tree_file(&tree, "proc/1/task/1/stat", STAT("50"));
	tree_file(&tree, "proc/2/smaps_rollup", "0-1 ---p 0 0:0 0 [rollup]\nRss: 12 kB\n");
	tree_file(&tree, "proc/2/task/2/stat", STAT("51"));
	tree_file(&tree, "proc/4/smaps_rollup", "");
	tree_file(&tree, "proc/4/task/4/stat", STAT("50"));
	tree_file(&tree, "proc/5/task/5/stat", STAT("50"));
	assert_int_equal(proc_dir_open(&tree.root, &proc), 0);
	result = smaps_finish(smaps_start(&proc, t, leaders, ARRAY_SIZE(leaders)), 10000, &arena);
	assert_int_equal(ours->smaps_rollup_kb.n, 1);
	assert_string_equal(ours->smaps_rollup_kb.rows[0].name, "Rss");
	assert_int_equal(ours->absent[READING_SMAPS], ABSENCE_NONE);
	assert_int_equal(reused->smaps_rollup_kb.n, 0);
	assert_int_equal(reused->absent[READING_SMAPS], ABSENCE_ENDED);
	assert_int_equal(gone->absent[READING_SMAPS], ABSENCE_ENDED);
	assert_int_equal(empty->absent[READING_SMAPS], ABSENCE_ERROR);
	assert_int_equal(lacking->absent[READING_SMAPS], ABSENCE_UNSUPPORTED);
	assert_int_equal(other->smaps_rollup_kb.n, 0);
	assert_int_equal(result.failures, 2);
	arena_done(&arena);
	tree_done(&tree);
}

static void impatience_gives_the_rest_up(void **state)
{
	_cleanup_(root_close) struct root root = ROOT_INIT;
	_cleanup_(proc_dir_close) struct proc_dir proc = { .fd = -1 };
	enum {
		MANY = 5000
	};
	struct thread *t = calloc(MANY, sizeof(*t));
	size_t *leaders = calloc(MANY, sizeof(*leaders));
	struct arena arena = ARENA_INIT;

	(void)state;
	assert_non_null(t);
	assert_non_null(leaders);
	assert_int_equal(root_open(&root, "/", NULL), 0);
	assert_int_equal(proc_dir_open(&root, &proc), 0);
	for (size_t i = 0; i < MANY; i++) {
		t[i] = leader((uint32_t)getpid(), 1);
		leaders[i] = i;
	}
	smaps_finish(smaps_start(&proc, t, leaders, MANY), 0, &arena);
	assert_int_equal(t[MANY - 1].absent[READING_SMAPS], ABSENCE_ERROR);
	arena_done(&arena);
	free(leaders);
	free(t);
}

static void failures_are_summed_by_file(void **state)
{
	static const struct {
		uint64_t io, sched, stat;
		const char *dominant;
		bool config;
	} rows[] = {
		{ 0, 0, 0, NULL, false },   { 3, 3, 0, "io", true }, { 1, 3, 0, "sched", false },
		{ 0, 1, 2, "stat", false }, { 4, 2, 2, "io", true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t failures[PARSE_FILE_COUNT] = {
			[PARSE_FILE_io] = rows[i].io,
			[PARSE_FILE_sched] = rows[i].sched,
			[PARSE_FILE_stat] = rows[i].stat,
		};
		struct snapshot s = SNAPSHOT_INIT;
		uint64_t v;

		tally_parse(&s, 9, failures, 1);
		assert_int_equal(s.parse.read_failures, rows[i].io + rows[i].sched + rows[i].stat);
		assert_int_equal(keyed_get(&s.parse.read_failures_by_file, "io", &v),
				 rows[i].io > 0);
		assert_int_equal(s.parse.kernel_config_dominant, rows[i].config);
		if (rows[i].dominant)
			assert_string_equal(s.parse.dominant_read_failure, rows[i].dominant);
		else
			assert_null(s.parse.dominant_read_failure);
		snapshot_done(&s);
	}
}

static void absences_are_summed_by_source_and_reason(void **state)
{
	struct unlisted unlisted = { .processes = { [ABSENCE_PERMISSION] = 2 },
				     .threads = { [ABSENCE_ERROR] = 3 } };
	struct snapshot s = SNAPSHOT_INIT;
	struct thread t = {};

	(void)state;
	t.absent[READING_IO] = ABSENCE_PERMISSION;
	t.absent[READING_STAT] = ABSENCE_ERROR;
	vec_push(&s.threads, t);
	t.absent[READING_STAT] = ABSENCE_NONE;
	vec_push(&s.threads, t);
	s.psi.resource[PSI_COUNT - 1].absence = ABSENCE_UNSUPPORTED;
	vec_push(&s.cgroups_absent, (struct snapshot_cgroup_absent){ "/a", "outside namespace" });
	tally_absence(&s, &unlisted);
	assert_int_equal(s.absence.n, 6);
	assert_string_equal(s.absence.v[0].source, "cgroup_stats");
	assert_int_equal(s.absence.v[0].reason, ABSENCE_PERMISSION);
	assert_string_equal(s.absence.v[1].source, "io");
	assert_int_equal(s.absence.v[1].count, 2);
	assert_string_equal(s.absence.v[2].source, "process");
	assert_string_equal(s.absence.v[3].source, "psi");
	assert_string_equal(s.absence.v[4].source, "stat");
	assert_int_equal(s.absence.v[4].count, 1);
	assert_int_equal(s.absence.v[4].reason, ABSENCE_ERROR);
	assert_string_equal(s.absence.v[5].source, "thread");
	assert_int_equal(s.absence.v[5].count, 3);
	snapshot_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_leave_room_for_the_load),
		cmocka_unit_test(why_there_are_no_schedstats_is_found_by_the_switch),
		cmocka_unit_test(pressure_that_is_not_shown_is_no_fault_of_the_kernel),
		cmocka_unit_test(threads_are_hidden_when_the_first_process_is),
		cmocka_unit_test(numbers_are_ours_only_in_our_own_proc),
		cmocka_unit_test(a_boot_is_known_by_its_id_and_namespace),
		cmocka_unit_test(a_thread_leads_to_its_process),
		cmocka_unit_test(equal_masks_are_kept_once),
		cmocka_unit_test(memory_belongs_to_the_process_that_was_read),
		cmocka_unit_test(impatience_gives_the_rest_up),
		cmocka_unit_test(failures_are_summed_by_file),
		cmocka_unit_test(absences_are_summed_by_source_and_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
