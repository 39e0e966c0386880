// SPDX-License-Identifier: GPL-2.0-only
/* io and schedstat: files of nothing but numbers. */
#include "sys/proc_io.h"

#include <errno.h>

#include "cut.h"
#include "sys/proc_schedstat.h"
#include "unit.h"
#include "util/compiler.h"

static const char recorded[] = "rchar: 7278\n"
			       "wchar: 302\n"
			       "syscr: 12\n"
			       "syscw: 1\n"
			       "read_bytes: 4096\n"
			       "write_bytes: 8192\n"
			       "cancelled_write_bytes: 18446744073709551615\n";

static void a_recorded_io_reads_as_it_stands(void **state)
{
	struct proc_io io;

	(void)state;
	assert_int_equal(proc_io_parse(slice_of(recorded), &io), 0);
	assert_int_equal(io.rchar, 7278);
	assert_int_equal(io.wchar, 302);
	assert_int_equal(io.syscr, 12);
	assert_int_equal(io.syscw, 1);
	assert_int_equal(io.read_bytes, 4096);
	assert_int_equal(io.write_bytes, 8192);
	assert_true(io.cancelled_write_bytes == UINT64_MAX);
}

static void the_lines_of_io_come_in_any_order_and_company(void **state)
{
	struct proc_io io;

	(void)state;
	assert_int_equal(proc_io_parse(slice_of("new_key: 1\ncancelled_write_bytes : 7\n\n"
						"write_bytes:6\nread_bytes: 5 \nsyscw: 4\n: 1\n"
						"syscr: 3\nwchar: 2\nrchar: 1\nrchar: 9\nx\n"),
				       &io),
			 0);
	assert_int_equal(io.rchar, 1);
	assert_int_equal(io.wchar, 2);
	assert_int_equal(io.syscr, 3);
	assert_int_equal(io.syscw, 4);
	assert_int_equal(io.read_bytes, 5);
	assert_int_equal(io.write_bytes, 6);
	assert_int_equal(io.cancelled_write_bytes, 7);
}

static void an_io_that_lacks_a_value_says_so(void **state)
{
	static const struct {
		const char *label, *text;
		uint64_t rchar, wchar;
	} rows[] = {
		{ "one missing",
		  "rchar: 1\nsyscr: 3\nsyscw: 4\nread_bytes: 5\nwrite_bytes: 6\n"
		  "cancelled_write_bytes: 7\n",
		  1, 0 },
		{ "one malformed",
		  "rchar: 1\nwchar: 2x\nsyscr: 3\nsyscw: 4\nread_bytes: 5\nwrite_bytes: 6\n"
		  "cancelled_write_bytes: 7\n",
		  1, 0 },
		{ "the first of two is malformed",
		  "rchar: 1\nwchar: -2\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 5\n"
		  "write_bytes: 6\ncancelled_write_bytes: 7\n",
		  1, 0 },
		{ "too large", "rchar: 18446744073709551616\nwchar: 2\n", 0, 2 },
		{ "no values", "rchar:\nwchar: \n", 0, 0 },
		{ "no colon", "rchar 1\nwchar=2\n", 0, 0 },
		{ "empty", "", 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct proc_io io;

		print_message("# %s\n", rows[i].label);
		assert_int_equal(proc_io_parse(slice_of(rows[i].text), &io), -EBADMSG);
		assert_int_equal(io.rchar, rows[i].rchar);
		assert_int_equal(io.wchar, rows[i].wchar);
	}
}

static void an_io_that_was_cut_invents_nothing(void **state)
{
	struct proc_io whole;

	(void)state;
	assert_int_equal(proc_io_parse(slice_of(recorded), &whole), 0);
	for (size_t n = 0; n < strlen(recorded); n++) {
		struct slice cut = cut_at(slice_of(recorded), n);
		struct proc_io io;

		assert_int_equal(proc_io_parse(cut, &io), -EBADMSG);
#define IO_KEY(name) assert_true(!io.name || io.name == whole.name);
#include "sys/proc_io.def"
#undef IO_KEY
		cut_done(cut);
	}
}

static void three_words_are_a_schedstat(void **state)
{
	static const struct {
		const char *label;
		struct slice text;
		int r;
		uint64_t run, wait, slices;
	} rows[] = {
		{ "recorded", SLICE_LIT("878433 56084 2\n"), 0, 878433, 56084, 2 },
		{ "zeros", SLICE_LIT("0 0 0\n"), 0, 0, 0, 0 },
		{ "the largest", SLICE_LIT("18446744073709551615 1 1\n"), 0, UINT64_MAX, 1, 1 },
		{ "more words", SLICE_LIT("1 2 3 4\n"), 0, 1, 2, 3 },
		{ "other blanks", SLICE_LIT(" 1\t2  3 \n"), 0, 1, 2, 3 },
		{ "a second line", SLICE_LIT("1 2 3\n4 5 6\n"), 0, 1, 2, 3 },
		{ "a bad second word", SLICE_LIT("1 x 3\n"), -EBADMSG, 1, 0, 3 },
		{ "a negative first word", SLICE_LIT("-1 2 3\n"), -EBADMSG, 0, 2, 3 },
		{ "too large", SLICE_LIT("1 18446744073709551616 3\n"), -EBADMSG, 1, 0, 3 },
		{ "two words", SLICE_LIT("1 2\n3\n"), -EBADMSG, 1, 2, 0 },
		{ "a NUL byte", SLICE_LIT("1\0 2 3\n"), -EBADMSG, 0, 2, 3 },
		{ "cut in the last", SLICE_LIT("1 2 3"), -EBADMSG, 1, 2, 0 },
		{ "cut behind the last", SLICE_LIT("1 2 3 "), 0, 1, 2, 3 },
		{ "cut in the second", SLICE_LIT("1 2"), -EBADMSG, 1, 0, 0 },
		{ "cut in the first", SLICE_LIT("1"), -EBADMSG, 0, 0, 0 },
		{ "a line end only", SLICE_LIT("\n1 2 3\n"), -EBADMSG, 0, 0, 0 },
		{ "empty", SLICE_LIT(""), -EBADMSG, 0, 0, 0 },
		{ "nothing", { NULL, 0 }, -EBADMSG, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct slice exact = cut_at(rows[i].text, rows[i].text.n);
		struct proc_schedstat s;

		print_message("# %s\n", rows[i].label);
		assert_int_equal(proc_schedstat_parse(exact, &s), rows[i].r);
		assert_true(s.run_time_ns == rows[i].run);
		assert_int_equal(s.wait_time_ns, rows[i].wait);
		assert_int_equal(s.timeslices, rows[i].slices);
		cut_done(exact);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recorded_io_reads_as_it_stands),
		cmocka_unit_test(the_lines_of_io_come_in_any_order_and_company),
		cmocka_unit_test(an_io_that_lacks_a_value_says_so),
		cmocka_unit_test(an_io_that_was_cut_invents_nothing),
		cmocka_unit_test(three_words_are_a_schedstat),
	};

	return cmocka_run_group_tests_name("proc_io", tests, NULL, NULL);
}
