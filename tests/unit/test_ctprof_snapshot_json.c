// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/snapshot_json.h"

#include <errno.h>

#include "snapshot_make.h"
#include "snapshot_text.h"
#include "util/cleanup.h"

static void what_was_loaded_is_written_as_it_was(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < soak_rounds(25); seed++) {
		_cleanup_(snapshot_done) struct snapshot made = SNAPSHOT_INIT, back = SNAPSHOT_INIT;
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT, again = STRBUF_INIT;
		_cleanup_(notes_done) struct snapshot_notes notes = {};
		struct err err;

		make_snapshot(seed, seed % 40, seed % 12, &made);
		write_text(&made, &text);
		if (read_text(strbuf_slice(&text), &back, &notes, &err) < 0)
			fail_msg("seed %u: %s", seed, err.text);
		write_text(&back, &again);
		if (!slice_eq(strbuf_slice(&text), strbuf_slice(&again)))
			fail_msg("seed %u: another text", seed);
		assert_int_equal(notes.list.n, 0);
		assert_string_equal(back.schema_name, "ctprof");
		assert_int_equal(back.schema_version, 1);
	}
}

/* Of each thread, by value: the same mistake in writing and reading would not show above. */
static void members_of_threads_arrive(void **state)
{
	_cleanup_(snapshot_done) struct snapshot made = SNAPSHOT_INIT, back = SNAPSHOT_INIT;
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	static const struct cpuset empty = CPUSET_INIT;
	struct err err;

	(void)state;
	make_snapshot(1, 200, 0, &made);
	write_text(&made, &text);
	assert_int_equal(read_text(strbuf_slice(&text), &back, NULL, &err), 0);
	assert_int_equal(back.threads.n, made.threads.n);
	for (size_t i = 0; i < made.threads.n; i++) {
		const struct thread *a = &made.threads.v[i], *b = &back.threads.v[i];
		const struct cpuset *cpus = a->cpu_affinity.v ? a->cpu_affinity.v : &empty;

		assert_int_equal(a->tid, b->tid);
		assert_int_equal(a->tgid, b->tgid);
		assert_true(a->start_time_clock_ticks == b->start_time_clock_ticks);
		assert_true(a->run_time_ns.v == b->run_time_ns.v);
		assert_true(a->irq_delay_min_ns.v == b->irq_delay_min_ns.v);
		assert_true(a->hiwater_vm_bytes.v == b->hiwater_vm_bytes.v);
		assert_int_equal(a->nice.v, b->nice.v);
		assert_int_equal(a->rt_priority.v, b->rt_priority.v);
		assert_int_equal(a->ext_enabled.v, b->ext_enabled.v);
		assert_int_equal(a->state.v, b->state.v);
		assert_true(cpuset_equal(cpus, b->cpu_affinity.v));
		assert_memory_equal(a->absent, b->absent, sizeof(a->absent));
		assert_int_equal(a->smaps_rollup_kb.n, b->smaps_rollup_kb.n);
		assert_int_equal(!a->heap_layout, !b->heap_layout);
	}
}

/* The order of the specification; what follows it is ours. */
static void members_stand_in_their_order(void **state)
{
	static const char *const order[] = {
		"{\"captured_at_unix_ns\":",
		"\"host\":null,",
		"\"threads\":[{\"tid\":1000,\"tgid\":1000,\"pcomm\":",
		"\"comm\":",
		"\"cgroup\":",
		"\"start_time_clock_ticks\":",
		"\"policy\":",
		"\"nice\":",
		"\"cpu_affinity\":[",
		"\"processor\":",
		"\"state\":\"",
		"\"ext_enabled\":",
		"\"run_time_ns\":",
		"\"slice_max\":",
		"\"allocated_bytes\":",
		"\"nr_threads\":",
		"\"smaps_rollup_kb\":{",
		"\"rchar\":",
		"\"cancelled_write_bytes\":",
		"\"cpu_delay_count\":",
		"\"irq_delay_min_ns\":",
		"\"hiwater_vm_bytes\":",
		"\"absent\":{\"comm\":\"permission\"},\"heap_layout\":\"x\"}]",
		"\"cgroup_stats\":{\"/made-000",
		"\"cpu\":{\"usage_usec\":",
		"\"memory\":{\"current\":",
		"\"pids\":{\"current\":",
		"\"psi\":{\"cpu\":{\"some\":{\"avg10\":",
		"\"probe_summary\":",
		"\"parse_summary\":",
		"\"taskstats_summary\":",
		"\"psi\":{",
		"\"sched_ext\":",
		"\"schema\":{\"name\":\"ctprof\",\"version\":1}",
		"\"boot_id\":",
		"\"pidns\":",
		"\"absence\":{",
		"\"cgroup_stats_absent\":{",
		"\"capture\":{\"start_boottime_ns\":",
		"\"phases\":[",
		"\"max_rss_kb\":",
		"\"engine\":\"procfs\",\"engine_fallback\":",
	};
	_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	const char *at;

	(void)state;
	make_snapshot(5, 1, 1, &s);
	memset(s.threads.v[0].absent, 0, sizeof(s.threads.v[0].absent));
	s.threads.v[0].absent[READING_COMM] = ABSENCE_PERMISSION;
	s.threads.v[0].heap_layout = "x";
	if (!s.cgroups_absent.n)
		vec_push(&s.cgroups_absent, (struct snapshot_cgroup_absent){ "/a", "deleted" });
	write_text(&s, &text);
	at = text.s;
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		const char *found = strstr(at, order[i]);

		if (!found)
			fail_msg("%s is missing behind %.80s", order[i], at);
		at = found + 1;
	}
}

static void a_document_of_nothing_has_every_default(void **state)
{
	_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;
	const struct cgroup_stats *c;
	const struct thread *t;

	(void)state;
	load("{\"threads\":[{}],\"cgroup_stats\":{\"/a\":{}}}", &s);
	assert_null(s.host);
	assert_null(s.schema_name);
	assert_string_equal(s.boot_id, "");
	assert_false(s.probe.present || s.parse.present || s.taskstats.present ||
		     s.capture.present);
	assert_int_equal(s.schedext.absence, ABSENCE_UNSUPPORTED);
	assert_int_equal(s.schedext.absent.state, ABSENCE_UNSUPPORTED);
	t = &s.threads.v[0];
	assert_string_equal(t->pcomm, "");
	assert_string_equal(t->policy.v, "");
	assert_int_equal(t->state.v, '~');
	assert_true(cpuset_is_empty(t->cpu_affinity.v));
	assert_null(t->heap_layout);
	c = &s.cgroups.v[0].stats;
	assert_int_equal(c->cpu_max_period_us.v, 100000);
	assert_true(c->cpu_max_quota_us.unlimited && c->memory_max.unlimited &&
		    c->pids_max.unlimited);
	assert_int_equal(c->cpu_usage_usec.absent, ABSENCE_NONE);
	assert_int_equal(c->cpu_weight.absent, ABSENCE_ERROR);
	assert_int_equal(c->cpu_weight_nice.absent, ABSENCE_ERROR);
	assert_int_equal(c->memory_low.absent, ABSENCE_ERROR);
	assert_int_equal(c->memory_stat.keyed.n, 0);
}

static void null_is_as_good_as_missing(void **state)
{
	_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;

	(void)state;
	load("{\"captured_at_unix_ns\":null,\"host\":null,\"threads\":[{\"tid\":null,\"comm\":null,"
	     "\"cpu_affinity\":null,\"state\":null,\"ext_enabled\":null,\"smaps_rollup_kb\":null,"
	     "\"absent\":null,\"heap_layout\":null}],\"cgroup_stats\":{\"/a\":{\"cpu\":null,"
	     "\"memory\":{\"current\":null,\"max\":null,\"stat\":null},\"psi\":{\"cpu\":null,"
	     "\"io\":"
	     "{\"some\":null}},\"absent\":null},\"/b\":null},\"probe_summary\":null,"
	     "\"parse_summary\":{\"read_failures_by_file\":null,\"dominant_read_failure\":null},"
	     "\"psi\":null,\"sched_ext\":null,\"schema\":null,\"boot_id\":null,\"pidns\":null,"
	     "\"absence\":null,\"cgroup_stats_absent\":null,\"capture\":null}",
	     &s);
	assert_int_equal(s.threads.n, 1);
	assert_int_equal(s.cgroups.n, 2);
	assert_true(s.parse.present);
	assert_false(s.capture.present);
}

static void the_largest_number_survives(void **state)
{
	_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

	(void)state;
	load("{\"threads\":[{\"tid\":4294967295,\"nice\":-2147483648,"
	     "\"run_time_ns\":18446744073709551615}],\"cgroup_stats\":{\"/a\":{\"memory\":"
	     "{\"low\":18446744073709551615}}}}",
	     &s);
	assert_true(s.threads.v[0].run_time_ns.v == UINT64_MAX);
	assert_true(s.cgroups.v[0].stats.memory_low.v == UINT64_MAX);
	assert_int_equal(s.cgroups.v[0].stats.memory_low.absent, ABSENCE_NONE);
	write_text(&s, &text);
	assert_non_null(strstr(text.s, "\"run_time_ns\":18446744073709551615,"));
	assert_non_null(strstr(text.s, "\"low\":18446744073709551615,"));
}

static void both_spellings_of_sizes_load(void **state)
{
	static const char *const spellings[] = { "kb", "kib" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(spellings); i++) {
		_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;

		strbuf_addf(&text,
			    "{\"host\":{\"total_memory_%s\":7,\"hugepages_size_%s\":2048},"
			    "\"threads\":[{\"tid\":1,\"smaps_rollup_%s\":{\"Pss\":1,\"Rss\":2}}]}",
			    spellings[i], spellings[i], spellings[i]);
		load(text.s, &s);
		assert_int_equal(s.host->total_memory_kb.v, 7);
		assert_int_equal(s.host->hugepages_size_kb.v, 2048);
		assert_int_equal(s.threads.v[0].smaps_rollup_kb.n, 2);
		assert_string_equal(s.threads.v[0].smaps_rollup_kb.rows[1].name, "Rss");
		write_text(&s, &out);
		assert_null(strstr(out.s, "_kib"));
		assert_non_null(strstr(out.s, "\"smaps_rollup_kb\":{\"Pss\":1,\"Rss\":2}"));
		assert_non_null(strstr(out.s, "\"total_memory_kb\":7"));
	}
}

/* Files of a later program, and members in any order. */
static void what_is_not_known_is_passed_over(void **state)
{
	_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;
	_cleanup_(notes_done) struct snapshot_notes notes = {};
	struct err err;

	(void)state;
	assert_int_equal(
		read_text(
			SLICE_LIT(
				"{\"later\":{\"a\":[1,{}]},\"threads\":[{\"later\":1.5,\"comm\":"
				"\"x\",\"absent\":{\"stat\":\"solar_flare\",\"moon\":\"error\"},"
				"\"tid\":5}],\"cgroup_stats\":{\"/a\":{\"absent\":{\"cpu.weight\":"
				"\"disabled\",\"memory.max\":\"permission\",\"rdma.x\":\"error\"},"
				"\"cpu\":{\"weight\":null,\"x\":{}},\"memory\":{\"max\":null},"
				"\"io\":[]}},\"captured_at_unix_ns\":1,\"schema\":{\"version\":1,"
				"\"name\":\"ctprof\"}}"),
			&s, &notes, &err),
		0);
	assert_string_equal(s.threads.v[0].comm, "x");
	assert_int_equal(s.threads.v[0].tid, 5);
	assert_int_equal(s.threads.v[0].absent[READING_STAT], ABSENCE_ERROR);
	assert_int_equal(s.cgroups.v[0].stats.cpu_weight.absent, ABSENCE_DISABLED);
	assert_int_equal(s.cgroups.v[0].stats.memory_max.absent, ABSENCE_PERMISSION);
	assert_false(s.cgroups.v[0].stats.memory_max.unlimited);
	/* Only whoever verifies wants to know. */
	assert_int_equal(notes.list.n, 3);
	assert_non_null(strstr(notes.list.v[0], "solar_flare"));
	assert_non_null(strstr(notes.list.v[1], "moon"));
}
static void equal_texts_and_sets_are_kept_once(void **state)
{
	_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;
	const struct thread *t;

	(void)state;
	load("{\"threads\":[{\"tid\":1,\"comm\":\"a\",\"cgroup\":\"/x\",\"cpu_affinity\":[0,70]},"
	     "{\"tid\":2,\"comm\":\"b\",\"cgroup\":\"/x\",\"cpu_affinity\":[70,0]},"
	     "{\"tid\":3,\"comm\":\"a\",\"cgroup\":\"/y\",\"cpu_affinity\":[1]},"
	     "{\"tid\":4,\"comm\":\"a\",\"cgroup\":\"/x\",\"cpu_affinity\":[0,70,70]}]}",
	     &s);
	t = s.threads.v;
	assert_ptr_equal(t[0].comm, t[2].comm);
	assert_ptr_equal(t[0].cgroup, t[1].cgroup);
	assert_ptr_equal(t[0].cgroup, t[3].cgroup);
	assert_ptr_equal(t[0].cpu_affinity.v, t[1].cpu_affinity.v);
	assert_ptr_equal(t[0].cpu_affinity.v, t[3].cpu_affinity.v);
	assert_ptr_not_equal(t[0].cpu_affinity.v, t[2].cpu_affinity.v);
	assert_int_equal(cpuset_count(t[0].cpu_affinity.v), 2);
}

/* Joining relies on the order, whoever wrote the file. */
static void what_is_out_of_order_is_ordered_and_noted(void **state)
{
	_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;
	_cleanup_(notes_done) struct snapshot_notes notes = {};
	struct err err;

	(void)state;
	assert_int_equal(
		read_text(SLICE_LIT("{\"threads\":[{\"tid\":9,\"tgid\":2},{\"tid\":5,\"tgid\":1}],"
				    "\"cgroup_stats\":{\"/b\":{},\"/a\":{\"memory\":{\"stat\":"
				    "{\"z\":1,\"a\":2}}}}}"),
			  &s, &notes, &err),
		0);
	assert_int_equal(s.threads.v[0].tid, 5);
	assert_string_equal(s.cgroups.v[0].path, "/a");
	assert_string_equal(s.cgroups.v[0].stats.memory_stat.keyed.rows[0].name, "a");
	assert_int_equal(notes.list.n, 3);
	assert_string_equal(notes.list.v[0], "thread 5 of process 1 is out of order");
	assert_string_equal(notes.list.v[1], "the paths of 'cgroup_stats' do not ascend");
	assert_string_equal(notes.list.v[2], "there is no 'captured_at_unix_ns'");
}

/* Two paths that only differ in how a byte is written are one key in the file. */
static void paths_that_look_alike_in_the_file_are_written_once(void **state)
{
	_cleanup_(snapshot_done) struct snapshot made = SNAPSHOT_INIT, back = SNAPSHOT_INIT;
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	_cleanup_(notes_done) struct snapshot_notes notes = {};
	static const char *const paths[] = { "/\\xff", "/z", "/\xff" };
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		vec_push(&made.cgroups, (struct snapshot_cgroup){ .path = paths[i] });
	write_text(&made, &text);
	assert_int_equal(read_text(strbuf_slice(&text), &back, &notes, &err), 0);
	assert_int_equal(back.cgroups.n, 2);
	assert_int_equal(notes.list.n, 0);
}

static void the_reason_of_a_missing_sched_ext_is_in_the_tally(void **state)
{
	_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;

	(void)state;
	load("{\"sched_ext\":null,\"absence\":{\"schedext\":{\"disabled\":1}}}", &s);
	assert_int_equal(s.schedext.absence, ABSENCE_DISABLED);
	assert_int_equal(s.schedext.absent.enable_seq, ABSENCE_DISABLED);
}

static void set_cost(struct snapshot *s, void *ctx)
{
	s->capture.present = true;
	s->capture.engine = ctx;
}

static void the_cost_is_asked_for_when_all_else_is_written(void **state)
{
	_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	char engine[] = "bpf";
	struct json_writer w;

	(void)state;
	json_writer_init(&w, json_sink_strbuf, &text, JSON_COMPACT);
	snapshot_json_write(&s, &w, set_cost, engine);
	assert_int_equal(json_writer_finish(&w), 0);
	assert_non_null(strstr(text.s, ",\"absence\":{},\"capture\":{\"start_boottime_ns\":0,"
				       "\"end_boottime_ns\":0,\"phases\":[],\"max_rss_kb\":0,"
				       "\"engine\":\"bpf\",\"engine_fallback\":null}}"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_loaded_is_written_as_it_was),
		cmocka_unit_test(members_of_threads_arrive),
		cmocka_unit_test(members_stand_in_their_order),
		cmocka_unit_test(a_document_of_nothing_has_every_default),
		cmocka_unit_test(null_is_as_good_as_missing),
		cmocka_unit_test(the_largest_number_survives),
		cmocka_unit_test(both_spellings_of_sizes_load),
		cmocka_unit_test(what_is_not_known_is_passed_over),
		cmocka_unit_test(equal_texts_and_sets_are_kept_once),
		cmocka_unit_test(what_is_out_of_order_is_ordered_and_noted),
		cmocka_unit_test(paths_that_look_alike_in_the_file_are_written_once),
		cmocka_unit_test(the_reason_of_a_missing_sched_ext_is_in_the_tally),
		cmocka_unit_test(the_cost_is_asked_for_when_all_else_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
