// SPDX-License-Identifier: GPL-2.0-only
/* What a capture says of itself: every row of the tally in exactly one line, with what helps. */
#include "unit.h"

#include <string.h>

#include "ctprof/explain.h"
#include "ctprof/registry.h"
#include "util/cleanup.h"

static const struct remedy_row {
	const char *source;
	enum absence reason;
} remedy_rows[] = {
#define REMEDY(source, reason, words) { source, ABSENCE_##reason },
#include "ctprof/remedies.def"
#undef REMEDY
};

static bool is_source(const char *name)
{
	for (enum reading r = READING_NONE; r < READING_COUNT; r++)
		if (strcmp(reading_name(r), name) == 0)
			return true;
	return strcmp(name, "psi") == 0 || strcmp(name, "schedext") == 0 ||
	       strcmp(name, "process") == 0 || strcmp(name, "thread") == 0 ||
	       strcmp(name, "cgroup_stats") == 0;
}

static void every_remedy_is_for_a_source_there_is(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(remedy_rows); i++)
		if (!is_source(remedy_rows[i].source))
			fail_msg("'%s'", remedy_rows[i].source);
	assert_false(is_source("taskstat"));
}

static void explained(const struct snapshot_absence *rows, size_t n, unsigned sources,
		      const char *expected)
{
	struct capture_options o = { .sources = sources };
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	_cleanup_(strv_done) struct strv lines = STRV_INIT;
	struct snapshot s = SNAPSHOT_INIT;

	for (size_t i = 0; i < n; i++)
		vec_push(&s.absence, rows[i]);
	explain_capture(&s, &o, &lines);
	for (size_t i = 0; i < lines.n; i++)
		strbuf_addf(&text, "%s\n", lines.v[i]);
	assert_string_equal(text.s, expected);
	vec_done(&s.absence);
}

#define EXPLAINED(sources, expected, ...)                                                          \
	do {                                                                                       \
		const struct snapshot_absence rows_[] = { __VA_ARGS__ };                           \
		explained(rows_, ARRAY_SIZE(rows_), sources, expected);                            \
	} while (0)

static void sources_with_one_remedy_share_a_line(void **state)
{
	(void)state;
	EXPLAINED(CAPTURE_ALL_SOURCES,
		  "not read: forceidle (9), schedstats (9): switched off; type 'sysctl "
		  "kernel.sched_schedstats=1'\n"
		  "not read: io (3): permission denied; run as root with CAP_SYS_PTRACE\n",
		  { "forceidle", ABSENCE_DISABLED, 9 }, { "io", ABSENCE_PERMISSION, 3 },
		  { "schedstats", ABSENCE_DISABLED, 9 });
}

#define NEEDS                                                                                      \
	"needs CONFIG_TASKSTATS, CONFIG_TASK_DELAY_ACCT, CONFIG_TASK_XACCT and CAP_NET_ADMIN, "    \
	"and "                                                                                     \
	"for delays 'sysctl kernel.task_delayacct=1'\n"

static void what_is_absent_with_its_source_shares_its_words(void **state)
{
	(void)state;
	EXPLAINED(CAPTURE_ALL_SOURCES, "not read: irq_delays (4), taskstats (4), xacct (4): " NEEDS,
		  { "irq_delays", ABSENCE_UNSUPPORTED, 4 }, { "taskstats", ABSENCE_UNSUPPORTED, 4 },
		  { "xacct", ABSENCE_UNSUPPORTED, 4 });
	EXPLAINED(CAPTURE_ALL_SOURCES,
		  "not read: irq_delays (4): needs CONFIG_IRQ_TIME_ACCOUNTING\n"
		  "not read: taskstats (1): " NEEDS,
		  { "irq_delays", ABSENCE_UNSUPPORTED, 4 },
		  { "taskstats", ABSENCE_UNSUPPORTED, 1 });
}

static void who_captures_and_where_changes_the_words(void **state)
{
	struct capture_options o = { .sources = CAPTURE_ALL_SOURCES, .as_root = true };
	_cleanup_(strv_done) struct strv lines = STRV_INIT;
	struct snapshot s = { .only_files = true };

	(void)state;
	vec_push(&s.absence, (struct snapshot_absence){ "io", ABSENCE_PERMISSION, 1 });
	vec_push(&s.absence, (struct snapshot_absence){ "taskstats", ABSENCE_UNSUPPORTED, 1 });
	explain_capture(&s, &o, &lines);
	assert_int_equal(lines.n, 2);
	assert_string_equal(lines.v[0],
			    "not read: io (1): permission denied; refused even to root: "
			    "by a namespace, a security module or the process");
	assert_string_equal(lines.v[1], "not read: taskstats (1): told by system calls, which know "
					"no threads but those of our own /proc");
	vec_done(&s.absence);
}

static void what_was_left_out_on_purpose_is_not_mentioned(void **state)
{
	unsigned without_sched = CAPTURE_ALL_SOURCES & ~(1u << SOURCE_SCHED);

	(void)state;
	EXPLAINED(without_sched,
		  "not read: delays (2): switched off; type 'sysctl kernel.task_delayacct=1' (for "
		  "threads that start later; 'delayacct' on the kernel's command line for all)\n",
		  { "delays", ABSENCE_DISABLED, 2 }, { "heap", ABSENCE_DISABLED, 2 },
		  { "sched", ABSENCE_DISABLED, 2 }, { "schedstats", ABSENCE_DISABLED, 2 });
}

static void the_same_source_has_a_line_for_each_reason(void **state)
{
	(void)state;
	EXPLAINED(CAPTURE_ALL_SOURCES,
		  "not read: smaps (2): permission denied; run as root with CAP_SYS_PTRACE\n"
		  "not read: smaps (1): ended while it was read\n",
		  { "smaps", ABSENCE_PERMISSION, 2 }, { "smaps", ABSENCE_ENDED, 1 });
}

static void summaries_come_first_and_only_when_they_are_there(void **state)
{
	struct capture_options o = { .sources = CAPTURE_ALL_SOURCES };
	_cleanup_(strv_done) struct strv lines = STRV_INIT;
	struct snapshot s = {
		.parse = { .present = true,
			   .tids_walked = 10,
			   .read_failures = 4,
			   .dominant_read_failure = "io",
			   .kernel_config_dominant = true,
			   .negative_dotted_values = 2 },
		.taskstats = { .present = true, .ok_count = 8, .esrch_count = 2 },
		.probe = { .present = true,
			   .tgids_walked = 5,
			   .failed = 1,
			   .dominant_failure = "waitpid" },
	};
	struct snapshot none = SNAPSHOT_INIT;

	(void)state;
	explain_capture(&none, &o, &lines);
	assert_int_equal(lines.n, 0);
	vec_push(&s.absence, (struct snapshot_absence){ "io", ABSENCE_UNSUPPORTED, 4 });
	explain_capture(&s, &o, &lines);
	assert_int_equal(lines.n, 4);
	assert_string_equal(lines.v[0], "probe: 5 processes walked, 0 with jemalloc, 0 threads "
					"read, 1 failed, most by 'waitpid'");
	assert_string_equal(lines.v[1],
			    "parse: 10 threads walked, 4 files not read, most of them 'io', 2 "
			    "negative times; 'schedstat' needs CONFIG_SCHED_INFO, 'io' needs "
			    "CONFIG_TASK_IO_ACCOUNTING");
	assert_string_equal(lines.v[2], "taskstats: 8 ok, 0 eperm, 2 esrch, 0 other");
	vec_done(&s.absence);
}

static void processes_are_counted_from_sorted_threads(void **state)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct snapshot s = SNAPSHOT_INIT;

	(void)state;
	explain_counts(&s, &text);
	assert_string_equal(text.s, "0 threads of 0 processes in 0 cgroups");
	strbuf_reset(&text);
	vec_push(&s.threads, (struct thread){ .tgid = 1, .tid = 1 });
	explain_counts(&s, &text);
	assert_string_equal(text.s, "1 thread of 1 process in 0 cgroups");
	strbuf_reset(&text);
	vec_push(&s.threads, (struct thread){ .tgid = 1, .tid = 2 });
	vec_push(&s.threads, (struct thread){ .tgid = 9, .tid = 9 });
	explain_counts(&s, &text);
	assert_string_equal(text.s, "3 threads of 2 processes in 0 cgroups");
	vec_done(&s.threads);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_remedy_is_for_a_source_there_is),
		cmocka_unit_test(sources_with_one_remedy_share_a_line),
		cmocka_unit_test(what_is_absent_with_its_source_shares_its_words),
		cmocka_unit_test(who_captures_and_where_changes_the_words),
		cmocka_unit_test(what_was_left_out_on_purpose_is_not_mentioned),
		cmocka_unit_test(the_same_source_has_a_line_for_each_reason),
		cmocka_unit_test(summaries_come_first_and_only_when_they_are_there),
		cmocka_unit_test(processes_are_counted_from_sorted_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
