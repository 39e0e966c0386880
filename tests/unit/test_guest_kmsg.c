// SPDX-License-Identifier: GPL-2.0-only
#include "guest/kmsg.h"

#include <errno.h>

#include "unit.h"
#include "util/cleanup.h"

static void records_become_lines(void **state)
{
	static const struct {
		const char *label;
		struct slice record;
		const char *line;
	} cases[] = {
		{ "plain", SLICE_LIT("6,0,1234567,-;Linux version\n"),
		  "<6>[    1.234567] Linux version\n" },
		{ "facility is dropped", SLICE_LIT("30,0,0,-;from userspace\n"),
		  "<6>[    0.000000] from userspace\n" },
		{ "with a dictionary",
		  SLICE_LIT("4,0,98765432109,-;usb went away\n SUBSYSTEM=usb\n DEVICE=+usb:1\n"),
		  "<4>[98765.432109] usb went away\n" },
		{ "with fields of a later kernel", SLICE_LIT("6,0,7,-,caller=T1;hello\n"),
		  "<6>[    0.000007] hello\n" },
		{ "a semicolon in the text", SLICE_LIT("6,0,7,-;a;b\n"),
		  "<6>[    0.000007] a;b\n" },
		{ "empty text", SLICE_LIT("6,0,7,-;\n"), "<6>[    0.000007] \n" },
		{ "no line end", SLICE_LIT("6,0,7,-;cut"), "<6>[    0.000007] cut\n" },
		{ "nothing behind the head", SLICE_LIT("6,0,7,-;"), "<6>[    0.000007] \n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
		struct kmsg k = KMSG_INIT;
		struct kmsg_record record;

		print_message("# %s\n", cases[i].label);
		assert_int_equal(kmsg_parse(cases[i].record, &record), 0);
		kmsg_add(&k, &record, &out);
		assert_string_equal(out.s, cases[i].line);
	}
}

static void what_is_no_record_is_refused(void **state)
{
	static const struct slice cases[] = {
		SLICE_LIT(""),           SLICE_LIT("text\n"),
		SLICE_LIT(";text\n"),    SLICE_LIT("6;text\n"),
		SLICE_LIT("6,1;text\n"), SLICE_LIT("x,1,2,-;text\n"),
		SLICE_LIT("6,,2,-;t\n"), SLICE_LIT("6,1,-3,-;t\n"),
		SLICE_LIT("6,1,2,-"),    SLICE_LIT("6,18446744073709551616,2,-;text\n"),
	};
	struct kmsg_record record;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(kmsg_parse(cases[i], &record), -EBADMSG);
}

static void lost_records_are_counted_and_told(void **state)
{
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
	struct kmsg k = KMSG_INIT;

	(void)state;
	kmsg_add(&k, &(struct kmsg_record){ 6, 0, 1, SLICE_LIT("first") }, &out);
	kmsg_add(&k, &(struct kmsg_record){ 6, 1, 2, SLICE_LIT("second") }, &out);
	kmsg_add(&k, &(struct kmsg_record){ 6, 42, 3, SLICE_LIT("late") }, &out);
	assert_string_equal(out.s, "<6>[    0.000001] first\n"
				   "<6>[    0.000002] second\n"
				   "<4>[    0.000003] ktstr: 40 messages of the kernel were lost\n"
				   "<6>[    0.000003] late\n");
	assert_int_equal(k.lost, 40);
}

static void without_a_log_there_is_nothing_to_read(void **state)
{
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
	struct kmsg k = KMSG_INIT;

	(void)state;
	assert_false(kmsg_read(&k, 1000, &out));
	assert_int_equal(out.len, 0);
	kmsg_close(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_become_lines),
		cmocka_unit_test(what_is_no_record_is_refused),
		cmocka_unit_test(lost_records_are_counted_and_told),
		cmocka_unit_test(without_a_log_there_is_nothing_to_read),
	};

	return cmocka_run_group_tests_name("guest_kmsg", tests, NULL, NULL);
}
