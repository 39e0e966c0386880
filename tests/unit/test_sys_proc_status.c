// SPDX-License-Identifier: GPL-2.0-only
#include "sys/proc_status.h"

#include "cut.h"
#include "unit.h"
#include "util/compiler.h"

/* Recorded on 6.18, without some of the lines nobody asks for. */
static const char recorded[] = "Name:\tcat\n"
			       "Umask:\t0022\n"
			       "State:\tR (running)\n"
			       "Tgid:\t20949\n"
			       "Groups:\t \n"
			       "Kthread:\t0\n"
			       "VmPeak:\t    3060 kB\n"
			       "Threads:\t12\n"
			       "SigQ:\t0/96349\n"
			       "Cpus_allowed:\t3\n"
			       "Cpus_allowed_list:\t0-1\n"
			       "Mems_allowed_list:\t0\n"
			       "voluntary_ctxt_switches:\t345\n"
			       "nonvoluntary_ctxt_switches:\t18446744073709551615\n";

static void a_recorded_file_reads_as_it_stands(void **state)
{
	struct proc_status s;

	(void)state;
	proc_status_parse(slice_of(recorded), &s);
	assert_int_equal(s.state, 'R');
	assert_true(s.has_threads && s.has_voluntary && s.has_nonvoluntary);
	assert_int_equal(s.threads, 12);
	assert_int_equal(s.voluntary_switches, 345);
	assert_true(s.nonvoluntary_switches == UINT64_MAX);
	assert_true(slice_is(s.cpus_allowed_list, "0-1"));
}

static void each_line_stands_for_itself(void **state)
{
	static const struct {
		const char *label;
		struct slice text;
		char state;
		bool has_threads;
		const char *cpus;
	} rows[] = {
		{ "spaces for the tab",
		  SLICE_LIT("State:  S\nThreads: 1 \nCpus_allowed_list: 0,2 \n"), 'S', true,
		  "0,2" },
		{ "no blank", SLICE_LIT("State:t (x)\nThreads:1\nCpus_allowed_list:5\n"), 't', true,
		  "5" },
		{ "malformed", SLICE_LIT("State:\t?\nThreads:\t-1\nCpus_allowed_list:\n"), 0, false,
		  "" },
		{ "too large", SLICE_LIT("Threads:\t18446744073709551616\n"), 0, false, "" },
		{ "a unit", SLICE_LIT("Threads:\t1 kB\n"), 0, false, "" },
		{ "other keys", SLICE_LIT("state:\tS\nThreads2:\t1\nCpus_allowed:\t3\n"), 0, false,
		  "" },
		{ "no colon", SLICE_LIT("State\tS\nThreads 1\n"), 0, false, "" },
		{ "in the escaped name", SLICE_LIT("Name:\ta\\nThreads: 7\nState:\tZ (zombie)\n"),
		  'Z', false, "" },
		{ "bytes of all kinds", SLICE_LIT("Name:\t\0\xff\nState:\t\0\n\0Threads:\t1\n"), 0,
		  false, "" },
		{ "cut", SLICE_LIT("State:\tS\nThreads:\t1"), 'S', false, "" },
		{ "empty", SLICE_LIT(""), 0, false, "" },
		{ "nothing", { NULL, 0 }, 0, false, "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct proc_status s;

		print_message("# %s\n", rows[i].label);
		proc_status_parse(rows[i].text, &s);
		assert_int_equal(s.state, rows[i].state);
		assert_int_equal(s.has_threads, rows[i].has_threads);
		assert_int_equal(s.threads, rows[i].has_threads);
		assert_true(slice_is(s.cpus_allowed_list, rows[i].cpus));
		assert_false(s.has_voluntary || s.has_nonvoluntary);
	}
}

static void a_file_that_was_cut_invents_nothing(void **state)
{
	(void)state;
	for (size_t n = 0; n < strlen(recorded); n++) {
		struct slice cut = cut_at(slice_of(recorded), n);
		struct proc_status s;

		proc_status_parse(cut, &s);
		assert_true(!s.state || s.state == 'R');
		assert_int_equal(s.threads, s.has_threads ? 12 : 0);
		assert_int_equal(s.voluntary_switches, s.has_voluntary ? 345 : 0);
		assert_false(s.has_nonvoluntary);
		assert_true(!s.cpus_allowed_list.n || slice_is(s.cpus_allowed_list, "0-1"));
		cut_done(cut);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recorded_file_reads_as_it_stands),
		cmocka_unit_test(each_line_stands_for_itself),
		cmocka_unit_test(a_file_that_was_cut_invents_nothing),
	};

	return cmocka_run_group_tests_name("proc_status", tests, NULL, NULL);
}
