// SPDX-License-Identifier: GPL-2.0-only
/* Texts of the kernel into a thread: values, and for what is missing the reason. */
#include "unit.h"

#include <string.h>

#include "ctprof/thread_fill.h"
#include "util/strbuf.h"

#define HEAD "x (7, #threads: 1)\n----------------------------------------\n"

static struct thread sched_of(const char *text, enum absence off, unsigned *negative)
{
	struct thread t;

	thread_init(&t, 7, 7);
	thread_fill_sched(&t, slice_of(text), off, negative);
	return t;
}

/* All keys of the kernel but those named in @without. */
static void add_keys(struct strbuf *out, const char *without)
{
#define PLAIN  "3"
#define DOTTED "2.000001"
#define SCHED_KEY(name, form, group)                                                               \
	if (strcmp(#name, without) != 0)                                                           \
		strbuf_addf(out, "%-40s:%20s\n", #name, form);
#include "sys/proc_sched.def"
#undef SCHED_KEY
#undef PLAIN
#undef DOTTED
}

static struct thread sched_without(const char *key)
{
	struct strbuf text = STRBUF_INIT;
	unsigned negative = 0;
	struct thread t;

	strbuf_addstr(&text, HEAD);
	add_keys(&text, key);
	t = sched_of(text.s, ABSENCE_DISABLED, &negative);
	strbuf_done(&text);
	assert_int_equal(negative, 0);
	return t;
}

static void a_whole_sched_file_lacks_only_sched_ext(void **state)
{
	struct thread t = sched_without("");

	(void)state;
	for (int r = 0; r < READING_COUNT; r++)
		if (t.absent[r] != (r == READING_EXT ? ABSENCE_UNSUPPORTED : ABSENCE_NONE))
			fail_msg("reading %d: %d", r, t.absent[r]);
	assert_int_equal(t.nr_wakeups.v, 3);
	assert_int_equal(t.wait_max.v, 2000001);
	assert_int_equal(t.voluntary_csw.v, 3);
	assert_int_equal(t.fair_slice_ns.v, 3);
	assert_int_equal(t.block_sum.v, 2000001);
}

static void each_missing_key_has_its_reason(void **state)
{
	static const struct {
		const char *key;
		enum reading reading;
		enum absence why;
	} rows[] = {
		{ "nr_migrations", READING_SCHED, ABSENCE_ERROR },
		{ "nr_voluntary_switches", READING_SWITCHES, ABSENCE_ERROR },
		{ "wait_max", READING_SCHEDSTATS, ABSENCE_UNSUPPORTED },
		{ "sum_block_runtime", READING_SLEEPS, ABSENCE_UNSUPPORTED },
		{ "core_forceidle_sum", READING_FORCEIDLE, ABSENCE_UNSUPPORTED },
		{ "slice", READING_SLICE, ABSENCE_UNSUPPORTED },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct thread t = sched_without(rows[i].key);

		enum absence ext = i < 2 ? ABSENCE_ERROR : ABSENCE_UNSUPPORTED;

		for (int r = 0; r < READING_COUNT; r++) {
			enum absence why = r == (int)rows[i].reading ? rows[i].why
					   : r == READING_EXT        ? ext
								     : ABSENCE_NONE;

			if (t.absent[r] != why)
				fail_msg("without %s: reading %d is %d", rows[i].key, r,
					 t.absent[r]);
		}
	}
}

static void without_schedstats_the_kernel_says_why(void **state)
{
	static const char text[] = HEAD "se.nr_migrations : 5\nnr_voluntary_switches : 6\n"
					"nr_involuntary_switches : 7\next.enabled : 1\n";
	unsigned negative = 0;
	struct thread t = sched_of(text, ABSENCE_DISABLED, &negative);

	(void)state;
	assert_int_equal(t.absent[READING_SCHEDSTATS], ABSENCE_DISABLED);
	assert_int_equal(t.absent[READING_SLEEPS], ABSENCE_DISABLED);
	assert_int_equal(t.absent[READING_FORCEIDLE], ABSENCE_DISABLED);
	assert_int_equal(t.absent[READING_EXT], ABSENCE_NONE);
	assert_true(t.ext_enabled.v);
	assert_int_equal(t.nr_migrations.v, 5);
	assert_int_equal(t.nonvoluntary_csw.v, 7);
	t = sched_of(text, ABSENCE_UNSUPPORTED, &negative);
	assert_int_equal(t.absent[READING_SCHEDSTATS], ABSENCE_UNSUPPORTED);
}

static void a_file_that_was_cut_says_nothing_about_the_kernel(void **state)
{
	static const char *const texts[] = { "", HEAD, HEAD "se.nr_migrations : 5\n" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		unsigned negative = 0;
		struct thread t = sched_of(texts[i], ABSENCE_DISABLED, &negative);

		assert_int_equal(t.absent[READING_SCHEDSTATS], ABSENCE_ERROR);
		assert_int_equal(t.absent[READING_FORCEIDLE], ABSENCE_ERROR);
		assert_int_equal(t.absent[READING_SLICE], ABSENCE_ERROR);
		assert_int_equal(t.absent[READING_EXT], ABSENCE_ERROR);
		assert_int_equal(t.absent[READING_SWITCHES], ABSENCE_ERROR);
	}
}

static void sched_ext_tells_a_number(void **state)
{
	static const struct {
		const char *line;
		enum absence why;
		bool enabled;
	} rows[] = {
		{ "ext.enabled : 1\n", ABSENCE_NONE, true },
		{ "ext.enabled : 0\n", ABSENCE_NONE, false },
		{ "ext.enabled : yes\n", ABSENCE_ERROR, false },
		{ "enabled : 1\n", ABSENCE_UNSUPPORTED, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strbuf text = STRBUF_INIT;
		unsigned negative = 0;
		struct thread t;

		strbuf_addstr(&text, HEAD);
		add_keys(&text, "");
		strbuf_addstr(&text, rows[i].line);
		t = sched_of(text.s, ABSENCE_DISABLED, &negative);
		assert_int_equal(t.absent[READING_EXT], rows[i].why);
		assert_int_equal(t.ext_enabled.v, rows[i].enabled);
		strbuf_done(&text);
	}
}

static void sleep_is_without_the_times_blocked(void **state)
{
	static const struct {
		const char *keys;
		uint64_t sleep_ns, block_ns;
		unsigned negative;
		enum absence why;
	} rows[] = {
		{ "sum_sleep_runtime : 5.000000\nsum_block_runtime : 2.000000\n", 3000000, 2000000,
		  0, ABSENCE_NONE },
		{ "sum_sleep_runtime : 1.000000\nsum_block_runtime : 2.000000\n", 0, 2000000, 0,
		  ABSENCE_NONE },
		{ "sum_sleep_runtime : 5.000000\n", 0, 0, 0, ABSENCE_ERROR },
		{ "sum_sleep_runtime : 5.000000\nsum_block_runtime : -2.000000\n", 0, 0, 1,
		  ABSENCE_ERROR },
		{ "sum_block_runtime : 2.000000\nwait_max : 0.-000500\n", 0, 2000000, 1,
		  ABSENCE_ERROR },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strbuf text = STRBUF_INIT;
		unsigned negative = 0;
		struct thread t;

		strbuf_addf(&text, HEAD "%s", rows[i].keys);
		t = sched_of(text.s, ABSENCE_DISABLED, &negative);
		assert_int_equal(t.voluntary_sleep_ns.v, rows[i].sleep_ns);
		assert_int_equal(t.block_sum.v, rows[i].block_ns);
		assert_int_equal(negative, rows[i].negative);
		assert_int_equal(t.absent[READING_SLEEPS], rows[i].why);
		strbuf_done(&text);
	}
}

static void status_gives_only_what_is_missing(void **state)
{
	static const char text[] = "State:\tD (disk sleep)\nThreads:\t4\n"
				   "voluntary_ctxt_switches:\t8\nnonvoluntary_ctxt_switches:\t9\n";
	struct thread t;

	(void)state;
	thread_init(&t, 7, 7);
	t.state.v = 'S';
	t.voluntary_csw.v = 1;
	thread_fill_status(&t, slice_of(text));
	assert_int_equal(t.state.v, 'S');
	assert_int_equal(t.voluntary_csw.v, 1);
	thread_lack_stat(&t, ABSENCE_PERMISSION);
	thread_lack_sched(&t, ABSENCE_UNSUPPORTED);
	thread_fill_status(&t, slice_of(text));
	assert_int_equal(t.state.v, 'D');
	assert_int_equal(t.nr_threads.v, 4);
	assert_int_equal(t.nonvoluntary_csw.v, 9);
	assert_int_equal(t.absent[READING_STATE], ABSENCE_NONE);
	assert_int_equal(t.absent[READING_SWITCHES], ABSENCE_NONE);
	assert_int_equal(t.absent[READING_STAT], ABSENCE_PERMISSION);
	thread_lack_stat(&t, ABSENCE_PERMISSION);
	thread_fill_status(&t, SLICE_LIT("State:\tR (running)\n"));
	assert_int_equal(t.absent[READING_STATE], ABSENCE_PERMISSION);
}

#define NUMBERS                                                                                    \
	" S 1 1 1 0 -1 4194560 10 0 11 0 12 13 0 0 20 -5 3 0 14"                                   \
	" 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 1 50 1 0 0 0 0 0 0 0 0 0 0 0\n"

static void stat_names_and_counts_a_thread(void **state)
{
	struct arena arena = ARENA_INIT;
	struct thread t, other;

	(void)state;
	thread_init(&t, 7, 7);
	assert_false(thread_fill_stat(&t,
				      SLICE_LIT("7 ( a) b\n(x) "
						")" NUMBERS),
				      &arena));
	assert_string_equal(t.comm, "a) b\n(x)");
	assert_int_equal(t.state.v, 'S');
	assert_string_equal(t.policy.v, "SCHED_FIFO");
	assert_int_equal(t.nice.v, -5);
	assert_int_equal(t.nr_threads.v, 3);
	assert_int_equal(t.start_time_clock_ticks, 14);
	assert_int_equal(t.absent[READING_STAT], ABSENCE_NONE);
	thread_init(&other, 7, 8);
	thread_fill_stat(&other, SLICE_LIT("8 (b)" NUMBERS), &arena);
	assert_int_equal(other.nr_threads.v, 0);
	arena_done(&arena);
}

static void a_thread_that_is_being_forgotten_has_a_state(void **state)
{
	struct arena arena = ARENA_INIT;
	struct strbuf text = STRBUF_INIT;
	struct thread t;
	char *threads;

	(void)state;
	strbuf_addstr(&text, "8 (b)" NUMBERS);
	threads = strstr(text.s, " 3 0 14");
	assert_non_null(threads);
	threads[1] = '0';
	thread_init(&t, 7, 8);
	thread_fill_stat(&t, strbuf_slice(&text), &arena);
	assert_int_equal(t.state.v, 'S');
	assert_int_equal(t.absent[READING_STATE], ABSENCE_NONE);
	strbuf_done(&text);
	arena_done(&arena);
}

static void a_short_stat_is_kept_as_far_as_it_goes(void **state)
{
	struct arena arena = ARENA_INIT;
	struct thread t;

	(void)state;
	thread_init(&t, 7, 7);
	thread_fill_stat(&t, SLICE_LIT("7 (app) S 1 1 1 0 -1 0 10 0\n"), &arena);
	assert_string_equal(t.comm, "app");
	assert_int_equal(t.minflt.v, 10);
	assert_string_equal(t.policy.v, "");
	assert_int_equal(t.absent[READING_STAT], ABSENCE_ERROR);
	assert_int_equal(t.absent[READING_STATE], ABSENCE_ERROR);
	thread_init(&t, 7, 7);
	thread_fill_stat(&t, SLICE_LIT("garbage"), &arena);
	assert_string_equal(t.comm, "");
	assert_int_equal(t.state.v, '~');
	assert_int_equal(t.absent[READING_COMM], ABSENCE_ERROR);
	arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_sched_file_lacks_only_sched_ext),
		cmocka_unit_test(each_missing_key_has_its_reason),
		cmocka_unit_test(without_schedstats_the_kernel_says_why),
		cmocka_unit_test(a_file_that_was_cut_says_nothing_about_the_kernel),
		cmocka_unit_test(sched_ext_tells_a_number),
		cmocka_unit_test(sleep_is_without_the_times_blocked),
		cmocka_unit_test(status_gives_only_what_is_missing),
		cmocka_unit_test(stat_names_and_counts_a_thread),
		cmocka_unit_test(a_thread_that_is_being_forgotten_has_a_state),
		cmocka_unit_test(a_short_stat_is_kept_as_far_as_it_goes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
