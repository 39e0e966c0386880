// SPDX-License-Identifier: GPL-2.0-only
#include "sys/proc_sched.h"

#include <stdio.h>

#include "cut.h"
#include "proc_sched_text.h"
#include "unit.h"
#include "util/compiler.h"

#define HEAD "x (1, #threads: 1)\n----------------\n"

static struct proc_sched parse(const char *lines)
{
	struct proc_sched s;
	char text[1024];
	int n = snprintf(text, sizeof(text), HEAD "%s", lines);

	assert_in_range(n, 1, sizeof(text) - 1);
	proc_sched_parse(slice_of(text), &s);
	return s;
}

static const uint64_t *member(const struct proc_sched *s, enum sched_key key)
{
	switch (key) {
#define SCHED_KEY(name, ...)                                                                       \
	case SCHED_KEY_##name:                                                                     \
		return &s->name;
#include "sys/proc_sched.def"
#undef SCHED_KEY
	case SCHED_KEY_COUNT:
		break;
	}
	return NULL;
}

static void every_key_of_a_full_file_is_found(void **state)
{
	static const struct {
		enum sched_key key;
		uint64_t v;
	} rows[] = {
		{ SCHED_KEY_nr_migrations, 17 },
		{ SCHED_KEY_sum_sleep_runtime, 9000500000 },
		{ SCHED_KEY_sum_block_runtime, 9000500001 },
		{ SCHED_KEY_sleep_max, 9000500005 },
		{ SCHED_KEY_block_max, 9000500006 },
		{ SCHED_KEY_exec_max, 9000500007 },
		{ SCHED_KEY_slice_max, 9000500008 },
		{ SCHED_KEY_wait_max, 9000500009 },
		{ SCHED_KEY_wait_sum, 9000500010 },
		{ SCHED_KEY_wait_count, 1201 },
		{ SCHED_KEY_iowait_sum, 1500250 },
		{ SCHED_KEY_iowait_count, 3 },
		{ SCHED_KEY_nr_failed_migrations_affine, 101 },
		{ SCHED_KEY_nr_failed_migrations_running, 102 },
		{ SCHED_KEY_nr_failed_migrations_hot, 103 },
		{ SCHED_KEY_nr_forced_migrations, 104 },
		{ SCHED_KEY_nr_wakeups, 105 },
		{ SCHED_KEY_nr_wakeups_sync, 106 },
		{ SCHED_KEY_nr_wakeups_migrate, 107 },
		{ SCHED_KEY_nr_wakeups_local, 108 },
		{ SCHED_KEY_nr_wakeups_remote, 109 },
		{ SCHED_KEY_nr_wakeups_affine, 110 },
		{ SCHED_KEY_nr_wakeups_affine_attempts, 111 },
		{ SCHED_KEY_core_forceidle_sum, 77 },
		{ SCHED_KEY_nr_voluntary_switches, 1201 },
		{ SCHED_KEY_nr_involuntary_switches, 99 },
		{ SCHED_KEY_slice, 2800000 },
	};
	struct proc_sched s;

	(void)state;
	assert_int_equal(ARRAY_SIZE(rows), SCHED_KEY_COUNT);
	proc_sched_parse(slice_of(sched_full), &s);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		print_message("# row %zu\n", i);
		assert_true(proc_sched_has(&s, rows[i].key));
		assert_true(*member(&s, rows[i].key) == rows[i].v);
	}
	assert_true(s.has == (UINT64_C(1) << SCHED_KEY_COUNT) - 1);
	assert_int_equal(s.malformed, 0);
	assert_int_equal(s.negative, 0);
	assert_true(s.has_ext);
	assert_false(s.ext_enabled);
}

static void a_kernel_without_schedstats_has_four_of_them(void **state)
{
	struct proc_sched s;

	(void)state;
	proc_sched_parse(slice_of(sched_lean), &s);
	assert_true(s.has == (UINT64_C(1) << SCHED_KEY_nr_migrations |
			      UINT64_C(1) << SCHED_KEY_nr_voluntary_switches |
			      UINT64_C(1) << SCHED_KEY_nr_involuntary_switches |
			      UINT64_C(1) << SCHED_KEY_slice));
	assert_int_equal(s.slice, 1400000);
	assert_int_equal(s.malformed, 0);
	assert_int_equal(s.wait_sum, 0);
	assert_false(s.has_ext);
}

static void times_are_milliseconds_with_nanoseconds(void **state)
{
	static const struct {
		const char *label, *text;
		bool ok, negative;
		uint64_t ns;
	} rows[] = {
		{ "as the kernel writes it", "9000.500000", true, false, 9000500000 },
		{ "zero", "0.000000", true, false, 0 },
		{ "one nanosecond", "0.000001", true, false, 1 },
		{ "the sixth decimal", "1.234567", true, false, 1234567 },
		{ "padded", "1.5", true, false, 1500000 },
		{ "padded to the right", "1.05", true, false, 1050000 },
		{ "cut", "1.2345678", true, false, 1234567 },
		{ "cut, not rounded", "1.2345679999", true, false, 1234567 },
		{ "no decimal after the point", "3.", true, false, 3000000 },
		{ "no point: nanoseconds", "1500", true, false, 1500 },
		{ "the largest", "18446744073709.551615", true, false, UINT64_MAX },
		{ "the largest without a point", "18446744073709551615", true, false, UINT64_MAX },
		{ "too large in the decimals", "18446744073709.551616", false, false, 0 },
		{ "too large", "18446744073710.000000", false, false, 0 },
		{ "far too large", "99999999999999999999.0", false, false, 0 },
		{ "too large without a point", "18446744073709551616", false, false, 0 },
		{ "negative", "-1.5", false, true, 0 },
		{ "negative by less than one", "0.-000500", false, true, 0 },
		{ "negative twice", "-1.-000500", false, true, 0 },
		{ "negative without a point", "-5", false, true, 0 },
		{ "a sign inside", "1.5-1", false, false, 0 },
		{ "a plus sign", "+1.5", false, false, 0 },
		{ "no whole part", ".500000", false, false, 0 },
		{ "a letter", "1.5x", false, false, 0 },
		{ "a letter behind the sixth decimal", "1.2345678x", false, false, 0 },
		{ "two points", "1.2.3", false, false, 0 },
		{ "two words", "1.5 2", false, false, 0 },
		{ "hexadecimal", "0x10", false, false, 0 },
		{ "empty", "", false, false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct proc_sched s;
		char line[128];

		print_message("# %s\n", rows[i].label);
		snprintf(line, sizeof(line), "wait_sum      :     %s\nwait_count : 7\n",
			 rows[i].text);
		s = parse(line);
		assert_int_equal(proc_sched_has(&s, SCHED_KEY_wait_sum), rows[i].ok);
		assert_int_equal(s.malformed >> SCHED_KEY_wait_sum & 1, !rows[i].ok);
		assert_int_equal(s.negative, rows[i].negative);
		assert_true(s.wait_sum == rows[i].ns);
		assert_int_equal(s.wait_count, 7);
	}
}

static void counts_are_plain_integers(void **state)
{
	static const struct {
		const char *label, *text;
		bool ok;
		uint64_t v;
	} rows[] = {
		{ "zero", "0", true, 0 },
		{ "the largest", "18446744073709551615", true, UINT64_MAX },
		{ "too large", "18446744073709551616", false, 0 },
		{ "negative, but no time", "-5", false, 0 },
		{ "a point", "1.500000", false, 0 },
		{ "empty", "", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct proc_sched s;
		char line[64];

		print_message("# %s\n", rows[i].label);
		snprintf(line, sizeof(line), "nr_wakeups:%s\n", rows[i].text);
		s = parse(line);
		assert_int_equal(proc_sched_has(&s, SCHED_KEY_nr_wakeups), rows[i].ok);
		assert_int_equal(s.malformed >> SCHED_KEY_nr_wakeups & 1, !rows[i].ok);
		assert_true(s.nr_wakeups == rows[i].v);
		assert_int_equal(s.negative, 0);
	}
}

static void negative_times_are_counted_one_by_one(void **state)
{
	struct proc_sched s;

	(void)state;
	s = parse("wait_sum : -1.000000\nwait_max : 0.-000500\nsleep_max : 5.000000\n"
		  "iowait_sum : -5\nwait_count : -1\n");
	assert_int_equal(s.negative, 3);
	assert_int_equal(__builtin_popcountll(s.malformed), 4);
	assert_int_equal(s.sleep_max, 5000000);
}

static void a_key_is_what_stands_behind_its_last_dot(void **state)
{
	static const struct {
		const char *label, *line;
		bool found;
	} rows[] = {
		{ "bare", "wait_sum : 1.000000\n", true },
		{ "as kernels before 5.16 print it", "se.statistics.wait_sum : 1.000000\n", true },
		{ "another prefix", "stats.wait_sum : 1.000000\n", true },
		{ "an empty prefix", ".wait_sum : 1.000000\n", true },
		{ "no blanks", "wait_sum:1.000000\n", true },
		{ "longer", "wait_sum2 : 1.000000\n", false },
		{ "shorter", "wait_su : 1.000000\n", false },
		{ "a dot behind", "wait_sum. : 1.000000\n", false },
		{ "a word before", "effective wait_sum : 1.000000\n", false },
		{ "a word behind", "wait_sum effective : 1.000000\n", false },
		{ "another prefix sign", "mm->wait_sum : 1.000000\n", false },
		{ "capitals", "WAIT_SUM : 1.000000\n", false },
		{ "no colon", "wait_sum 1.000000\n", false },
		{ "an equals sign", "wait_sum=1.000000\n", false },
		{ "in the value", "x : wait_sum : 1.000000\n", false },
		{ "no name", ": 1.000000\n", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct proc_sched s;

		print_message("# %s\n", rows[i].label);
		s = parse(rows[i].line);
		assert_int_equal(proc_sched_has(&s, SCHED_KEY_wait_sum), rows[i].found);
		assert_int_equal(s.wait_sum, rows[i].found ? 1000000 : 0);
		assert_int_equal(s.malformed, 0);
	}
}

static void only_the_whole_name_says_that_a_thread_is_in_sched_ext(void **state)
{
	static const struct {
		const char *label, *line;
		bool has, on;
	} rows[] = {
		{ "on", "ext.enabled : 1\n", true, true },
		{ "off", "ext.enabled : 0\n", true, false },
		{ "another number", "ext.enabled:2\n", true, true },
		{ "twice", "ext.enabled : 0\next.enabled : 1\n", true, false },
		{ "a prefix", "se.ext.enabled : 1\n", false, false },
		{ "no prefix", "enabled : 1\n", false, false },
		{ "a prefix of its name", "ext.enable : 1\n", false, false },
		{ "no number", "ext.enabled : yes\n", false, false },
		{ "no value", "ext.enabled :\n", false, false },
		{ "cut", "ext.enabled : 1", false, false },
		{ "not there", "", false, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct proc_sched s;

		print_message("# %s\n", rows[i].label);
		s = parse(rows[i].line);
		assert_int_equal(s.has_ext, rows[i].has);
		assert_int_equal(s.ext_enabled, rows[i].on);
		assert_int_equal(s.has | s.malformed, 0);
	}
}

static void a_name_cannot_pretend_to_be_a_key(void **state)
{
	static const struct {
		const char *label;
		struct slice text;
	} rows[] = {
		{ "a key as the name",
		  SLICE_LIT("wait_sum: 66\n (1, #threads: 1)\n-------------------\n") },
		{ "a key on a line of its own",
		  SLICE_LIT("\nwait_sum:66.6\n (1, #threads: 1)\n-------------------\n") },
		{ "ext.enabled in the name",
		  SLICE_LIT("\next.enabled:1\n (1, #threads: 1)\n-------------------\n") },
		{ "as many dashes as a name can hold",
		  SLICE_LIT("---------------\nwait_sum:1\n (1, #threads: 1)\n") },
		{ "dashes that go on",
		  SLICE_LIT("------------------ (1, #threads: 1)\nwait_sum:1\n") },
		{ "bytes of all kinds",
		  SLICE_LIT("\0\n\xff:\n\0wait_sum:1 (1, #threads: 1)\n------------------\n") },
		{ "no line of dashes", SLICE_LIT("x (1, #threads: 1)\nwait_sum:1\n") },
		{ "a line of dashes without its end",
		  SLICE_LIT("x (1, #threads: 1)\n------------------wait_sum:1\n") },
		{ "empty", SLICE_LIT("") },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct proc_sched s;

		print_message("# %s\n", rows[i].label);
		proc_sched_parse(rows[i].text, &s);
		assert_int_equal(s.has | s.malformed, 0);
		assert_int_equal(s.negative, 0);
		assert_false(s.has_ext);
	}
}

static void of_a_key_that_comes_twice_the_first_counts(void **state)
{
	struct proc_sched s;

	(void)state;
	s = parse("wait_count : 1\nse.wait_count : 2\nwait_sum : x\nwait_sum : 5\n"
		  "wait_max : -1\nwait_max : -1\n");
	assert_int_equal(s.wait_count, 1);
	assert_int_equal(s.wait_sum, 0);
	assert_true(s.malformed >> SCHED_KEY_wait_sum & 1);
	assert_int_equal(s.negative, 1);
}

static void the_order_of_the_keys_does_not_matter(void **state)
{
	struct proc_sched s;

	(void)state;
	s = parse("se.slice : 3\nnr_migrations : 4\nwait_sum : 0.000005\nunheard_of : 9\n"
		  "sum_sleep_runtime : 0.000006\nnr_wakeups_idle : 1\n\nnr_wakeups : 7\n");
	assert_int_equal(s.slice, 3);
	assert_int_equal(s.nr_migrations, 4);
	assert_int_equal(s.wait_sum, 5);
	assert_int_equal(s.sum_sleep_runtime, 6);
	assert_int_equal(s.nr_wakeups, 7);
	assert_int_equal(__builtin_popcountll(s.has), 5);
}

static void a_file_that_was_cut_invents_nothing(void **state)
{
	struct proc_sched whole;

	(void)state;
	proc_sched_parse(slice_of(sched_full), &whole);
	for (size_t n = 0; n < strlen(sched_full); n++) {
		struct slice cut = cut_at(slice_of(sched_full), n);
		struct proc_sched s;

		proc_sched_parse(cut, &s);
		assert_int_equal(s.negative, 0);
		assert_in_range(__builtin_popcountll(s.malformed), 0, 1);
		for (enum sched_key key = 0; key < SCHED_KEY_COUNT; key++)
			assert_true(*member(&s, key) ==
				    (proc_sched_has(&s, key) ? *member(&whole, key) : 0));
		cut_done(cut);
	}
}

static void a_value_on_a_cut_line_is_malformed(void **state)
{
	static const struct {
		const char *label, *lines;
		bool malformed;
	} rows[] = {
		{ "in its digits", "wait_count : 12", true },
		{ "before them", "wait_count : ", true },
		{ "behind the colon", "wait_count:", true },
		{ "before the colon", "wait_count ", false },
		{ "in the name", "wait_coun", false },
		{ "of a longer name", "nr_wakeups", false },
		{ "at the line end", "", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct proc_sched s;
		char lines[64];

		print_message("# %s\n", rows[i].label);
		snprintf(lines, sizeof(lines), "wait_max : 1.000000\n%s", rows[i].lines);
		s = parse(lines);
		assert_true(s.has == UINT64_C(1) << SCHED_KEY_wait_max);
		assert_true(s.malformed == (uint64_t)rows[i].malformed << SCHED_KEY_wait_count);
		assert_int_equal(s.wait_count, 0);
	}
}

static void our_own_file_reads(void **state)
{
	static const enum sched_key always[] = { SCHED_KEY_nr_migrations,
						 SCHED_KEY_nr_voluntary_switches,
						 SCHED_KEY_nr_involuntary_switches };
	FILE *f = fopen("/proc/self/sched", "re");
	struct proc_sched s;
	char text[16384];

	(void)state;
	if (!f)
		skip();
	proc_sched_parse((struct slice){ text, fread(text, 1, sizeof(text), f) }, &s);
	fclose(f);
	for (size_t i = 0; i < ARRAY_SIZE(always); i++)
		assert_true(proc_sched_has(&s, always[i]));
	assert_int_equal(s.malformed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_of_a_full_file_is_found),
		cmocka_unit_test(a_kernel_without_schedstats_has_four_of_them),
		cmocka_unit_test(times_are_milliseconds_with_nanoseconds),
		cmocka_unit_test(counts_are_plain_integers),
		cmocka_unit_test(negative_times_are_counted_one_by_one),
		cmocka_unit_test(a_key_is_what_stands_behind_its_last_dot),
		cmocka_unit_test(only_the_whole_name_says_that_a_thread_is_in_sched_ext),
		cmocka_unit_test(a_name_cannot_pretend_to_be_a_key),
		cmocka_unit_test(of_a_key_that_comes_twice_the_first_counts),
		cmocka_unit_test(the_order_of_the_keys_does_not_matter),
		cmocka_unit_test(a_file_that_was_cut_invents_nothing),
		cmocka_unit_test(a_value_on_a_cut_line_is_malformed),
		cmocka_unit_test(our_own_file_reads),
	};

	return cmocka_run_group_tests_name("proc_sched", tests, NULL, NULL);
}
