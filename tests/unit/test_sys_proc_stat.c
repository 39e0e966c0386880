// SPDX-License-Identifier: GPL-2.0-only
#include "sys/proc_stat.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "cut.h"
#include "unit.h"
#include "util/compiler.h"

/* Recorded on 6.18, and made busier. */
#define NUMBERS                                                                                    \
	" R 20938 20938 15086 0 -1 4194304 102 7 3 8 11 22 5 6 20 0 9 0 994694 3133440 408 "       \
	"18446744073709551615 94465745039360 94465745059241 140731451763120 0 0 0 0 0 0 0 0 0 17 " \
	"1 0 0 0 0 0 94465745075248 94465745076864 94466231754752 140731451771490 "                \
	"140731451771581 140731451771581 140731451772907 0\n"

/* Fields 4 to 13 and the ones behind start time up to the processor, when they do not matter. */
#define FRONT  "1 2 3 4 5 0 100 0 200 0"
#define MIDDLE "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17"

static void a_recorded_line_reads_as_it_stands(void **state)
{
	struct proc_stat s;

	(void)state;
	assert_int_equal(proc_stat_parse(SLICE_LIT("20949 (cat)" NUMBERS), &s), 0);
	assert_true(slice_is(s.comm, "cat"));
	assert_int_equal(s.state, 'R');
	assert_false(s.kernel_thread);
	assert_int_equal(s.minflt, 102);
	assert_int_equal(s.majflt, 3);
	assert_int_equal(s.utime, 11);
	assert_int_equal(s.stime, 22);
	assert_int_equal(s.priority, 20);
	assert_int_equal(s.nice, 0);
	assert_int_equal(s.num_threads, 9);
	assert_int_equal(s.start_time, 994694);
	assert_int_equal(s.processor, 1);
	assert_int_equal(s.rt_priority, 0);
	assert_int_equal(s.policy, 0);
}

static void the_example_of_the_specification_reads_as_told(void **state)
{
	char buf[PROC_POLICY_ROOM];
	struct proc_stat s;

	(void)state;
	assert_int_equal(proc_stat_parse(SLICE_LIT("7 (a b) (c) S " FRONT " 11 22 0 0 25 5 9 0 "
						   "555555 " MIDDLE " 3 0 0 0\n"),
					 &s),
			 0);
	assert_true(slice_is(s.comm, "a b) (c"));
	assert_int_equal(s.state, 'S');
	assert_int_equal(s.minflt, 100);
	assert_int_equal(s.majflt, 200);
	assert_int_equal(s.utime, 11);
	assert_int_equal(s.stime, 22);
	assert_int_equal(s.priority, 25);
	assert_int_equal(s.nice, 5);
	assert_int_equal(s.start_time, 555555);
	assert_int_equal(s.processor, 3);
	assert_string_equal(proc_policy_name(s.policy, buf), "SCHED_OTHER");
}

static void a_name_may_hold_anything(void **state)
{
	static const struct {
		const char *label;
		struct slice text, comm;
	} rows[] = {
		{ "nothing", SLICE_LIT("1 ()" NUMBERS), SLICE_LIT("") },
		{ "a parenthesis", SLICE_LIT("1 ())" NUMBERS), SLICE_LIT(")") },
		{ "parentheses", SLICE_LIT("1 (((a)) ()" NUMBERS), SLICE_LIT("((a)) (") },
		{ "a line end", SLICE_LIT("1 (a\nb)" NUMBERS), SLICE_LIT("a\nb") },
		{ "a line of its own", SLICE_LIT("1 (a) S 1 2\n2 (b)" NUMBERS),
		  SLICE_LIT("a) S 1 2\n2 (b") },
		{ "a NUL byte", SLICE_LIT("1 (a\0b)" NUMBERS), SLICE_LIT("a\0b") },
		{ "no text", SLICE_LIT("1 (\xff\xfe\x80 \t)" NUMBERS),
		  SLICE_LIT("\xff\xfe\x80 \t") },
		{ "the long name of a kernel thread",
		  SLICE_LIT("9 (kworker/u16:2-events_unbound_with_a_name)" NUMBERS),
		  SLICE_LIT("kworker/u16:2-events_unbound_with_a_name") },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct proc_stat s;

		print_message("# %s\n", rows[i].label);
		assert_int_equal(proc_stat_parse(rows[i].text, &s), 0);
		assert_true(slice_eq(s.comm, rows[i].comm));
		assert_int_equal(s.state, 'R');
		assert_int_equal(s.start_time, 994694);
	}
}

static void a_kernel_thread_has_its_flag(void **state)
{
	static const struct {
		const char *flags;
		bool kernel_thread;
		int r;
	} rows[] = {
		{ "2097152", true, 0 },          { "69238880", true, 0 },
		{ "4194304", false, 0 },         { "0", false, 0 },
		{ "x2097152", false, -EBADMSG }, { "-2097152", false, -EBADMSG },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct proc_stat s;
		char line[256];

		print_message("# %s\n", rows[i].flags);
		snprintf(line, sizeof(line),
			 "2 (kthreadd) S 0 0 0 0 -1 %s 0 0 0 0 0 0 0 0 20 0 1 0 5 " MIDDLE
			 " 1 0 0 0\n",
			 rows[i].flags);
		assert_int_equal(proc_stat_parse(slice_of(line), &s), rows[i].r);
		assert_int_equal(s.kernel_thread, rows[i].kernel_thread);
	}
}

static void each_value_stands_for_itself(void **state)
{
	struct proc_stat s;

	(void)state;
	assert_int_equal(proc_stat_parse(SLICE_LIT("7 (a) SS 1 2 3 4 5 0 1x 0 200 0 -1 22 0 0 "
						   "2147483648 -20 9 0 99999999999999999999 " MIDDLE
						   " -1 4294967296 -2 0\n"),
					 &s),
			 -EBADMSG);
	assert_int_equal(s.state, 0);
	assert_int_equal(s.minflt, 0);
	assert_int_equal(s.majflt, 200);
	assert_int_equal(s.utime, 0);
	assert_int_equal(s.stime, 22);
	assert_int_equal(s.priority, 0);
	assert_int_equal(s.nice, -20);
	assert_int_equal(s.num_threads, 9);
	assert_int_equal(s.start_time, 0);
	assert_int_equal(s.processor, -1);
	assert_int_equal(s.rt_priority, 0);
	assert_int_equal(s.policy, -2);
}

static void a_short_line_gives_what_it_has(void **state)
{
	struct proc_stat s;

	(void)state;
	assert_int_equal(proc_stat_parse(SLICE_LIT("7 (a) S " FRONT " 11 22\n33 44 55\n"), &s),
			 -EBADMSG);
	assert_int_equal(s.stime, 22);
	assert_int_equal(s.priority, 0);
	assert_int_equal(s.policy, -1);
}

static void what_is_no_such_line_gives_nothing(void **state)
{
	static const struct {
		const char *label;
		struct slice text;
	} rows[] = {
		{ "nothing", { NULL, 0 } },
		{ "empty", SLICE_LIT("") },
		{ "a line end", SLICE_LIT("\n") },
		{ "no parentheses", SLICE_LIT("7 a S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n") },
		{ "only the first", SLICE_LIT("7 (a S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n") },
		{ "only the last", SLICE_LIT("7 a) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n") },
		{ "the wrong way round", SLICE_LIT("7 )a( S 1 2 3 4 5 6 7 8 9 10 11 12 13 14\n") },
		{ "zeros", SLICE_LIT("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0") },
		{ "an end inside of the name, it seems", SLICE_LIT("7 (a) S 1 2\n") },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct proc_stat s;

		print_message("# %s\n", rows[i].label);
		assert_int_equal(proc_stat_parse(rows[i].text, &s), -EBADMSG);
		assert_int_equal(s.comm.n, 0);
		assert_int_equal(s.state, 0);
		assert_int_equal(s.minflt, 0);
		assert_int_equal(s.policy, -1);
	}
}

/* A value is as in the whole line or not there. */
static void assert_part_of(const struct proc_stat *s, const struct proc_stat *whole)
{
	assert_true(!s->state || s->state == whole->state);
	assert_false(s->kernel_thread);
	assert_true(!s->minflt || s->minflt == whole->minflt);
	assert_true(!s->majflt || s->majflt == whole->majflt);
	assert_true(!s->utime || s->utime == whole->utime);
	assert_true(!s->stime || s->stime == whole->stime);
	assert_true(!s->priority || s->priority == whole->priority);
	assert_true(!s->nice || s->nice == whole->nice);
	assert_true(!s->num_threads || s->num_threads == whole->num_threads);
	assert_true(!s->start_time || s->start_time == whole->start_time);
	assert_true(!s->processor || s->processor == whole->processor);
	assert_true(!s->rt_priority || s->rt_priority == whole->rt_priority);
	assert_true(s->policy == -1 || s->policy == whole->policy);
}

static void a_line_that_was_cut_invents_nothing(void **state)
{
	static const struct {
		const char *label;
		struct slice text;
	} rows[] = {
		{ "recorded", SLICE_LIT("20949 (cat)" NUMBERS) },
		{ "a name like what follows it", SLICE_LIT("20949 (a) X 9 9 9 9 9)" NUMBERS) },
		{ "a name like a whole line", SLICE_LIT("20949 (a) X 9 9\n9 9 9 )" NUMBERS) },
		{ "a name of parentheses", SLICE_LIT("20949 ()))))))) X 1 2)" NUMBERS) },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t policy_end = rows[i].text.n;
		struct proc_stat whole;

		print_message("# %s\n", rows[i].label);
		assert_int_equal(proc_stat_parse(rows[i].text, &whole), 0);
		for (size_t n = 0; n < rows[i].text.n; n++) {
			struct slice cut = cut_at(rows[i].text, n);
			struct proc_stat s;
			int r = proc_stat_parse(cut, &s);

			assert_part_of(&s, &whole);
			if (r == 0 && n < policy_end)
				policy_end = n;
			/* Once all is there, it stays. */
			assert_int_equal(r, n < policy_end ? -EBADMSG : 0);
			cut_done(cut);
		}
		assert_in_range(policy_end, 1, rows[i].text.n - 1);
	}
}

static void policies_have_names(void **state)
{
	static const struct {
		int32_t policy;
		const char *name;
	} rows[] = {
		{ 0, "SCHED_OTHER" },
		{ 1, "SCHED_FIFO" },
		{ 2, "SCHED_RR" },
		{ 3, "SCHED_BATCH" },
		{ 4, "SCHED_UNKNOWN(4)" },
		{ 5, "SCHED_IDLE" },
		{ 6, "SCHED_DEADLINE" },
		{ 7, "SCHED_EXT" },
		{ 8, "SCHED_UNKNOWN(8)" },
		{ -1, "SCHED_UNKNOWN(-1)" },
		{ INT32_MAX, "SCHED_UNKNOWN(2147483647)" },
		{ INT32_MIN, "SCHED_UNKNOWN(-2147483648)" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char buf[PROC_POLICY_ROOM];

		assert_string_equal(proc_policy_name(rows[i].policy, buf), rows[i].name);
	}
}

static void our_own_line_reads(void **state)
{
	FILE *f = fopen("/proc/self/stat", "re");
	struct proc_stat s;
	char text[4096];

	(void)state;
	assert_non_null(f);
	assert_int_equal(
		proc_stat_parse((struct slice){ text, fread(text, 1, sizeof(text), f) }, &s), 0);
	fclose(f);
	assert_int_equal(s.state, 'R');
	assert_int_equal(s.num_threads, 1);
	assert_false(s.kernel_thread);
	assert_true(s.start_time > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recorded_line_reads_as_it_stands),
		cmocka_unit_test(the_example_of_the_specification_reads_as_told),
		cmocka_unit_test(a_name_may_hold_anything),
		cmocka_unit_test(a_kernel_thread_has_its_flag),
		cmocka_unit_test(each_value_stands_for_itself),
		cmocka_unit_test(a_short_line_gives_what_it_has),
		cmocka_unit_test(what_is_no_such_line_gives_nothing),
		cmocka_unit_test(a_line_that_was_cut_invents_nothing),
		cmocka_unit_test(policies_have_names),
		cmocka_unit_test(our_own_line_reads),
	};

	return cmocka_run_group_tests_name("proc_stat", tests, NULL, NULL);
}
