// SPDX-License-Identifier: GPL-2.0-only
/* A recorded answer as it is, and with one thing wrong at a time. */
#include "sys/taskstats_message.h"

#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <string.h>

#include "sys/taskstats.h"
#include "unit.h"
#include "util/cleanup.h"
#include "util/root.h"

/* Of the recording. */
#define FAMILY 31
#define SEQ    0x01020304
#define TID    10799
#define LENGTH 596

/* Where the answer has what. */
enum {
	AT_LEN = 0,
	AT_TYPE = 4,
	AT_GENL = 16,
	AT_AGGREGATE_LEN = 20,
	AT_AGGREGATE_TYPE = 22,
	AT_PID_LEN = 24,
	AT_PID_TYPE = 26,
	AT_PID = 28,
	AT_STATS_LEN = 32,
	AT_STATS_TYPE = 34,
	AT_STATS = 36,
};

static void read_fixture(const char *name, struct strbuf *ret)
{
	_cleanup_(root_close) struct root root = ROOT_INIT;

	assert_int_equal(root_open(&root, FIXTURES "/taskstats", NULL), 0);
	assert_int_equal(root_read(&root, name, ROOT_CAP_FILE, ret), 1);
}

/* In a block of its own size, for ASan. */
static char *exact(const void *bytes, size_t n)
{
	char *copy = malloc(n ? n : 1);

	assert_non_null(copy);
	return memcpy(copy, bytes, n);
}

static void a_recorded_answer_is_read(void **state)
{
	_cleanup_(strbuf_done) struct strbuf reply = STRBUF_INIT;
	struct taskstats_message m;
	struct taskstats_values v;
	struct slice rest, stats;

	(void)state;
	read_fixture("reply-v16", &reply);
	rest = strbuf_slice(&reply);
	assert_true(taskstats_message_next(&rest, &m));
	assert_int_equal(m.seq, SEQ);
	assert_int_equal(m.code, 0);
	assert_false(taskstats_message_next(&rest, &m));
	assert_int_equal(taskstats_message_stats(&m, FAMILY, TID, &stats), 0);
	assert_int_equal(stats.n, 560);
	assert_int_equal(taskstats_decode(stats, &v), 0);
	assert_int_equal(v.version, 16);
	/* /proc/10799/schedstat had 119523177 and 32 at that time, VmPeak was 2920 kB. */
	assert_int_equal(v.delay[DELAY_CPU].count, 32);
	assert_int_equal(v.delay[DELAY_CPU].total_ns, 119523177);
	assert_int_equal(v.delay[DELAY_CPU].max_ns, 4025848);
	assert_int_equal(v.delay[DELAY_CPU].min_ns, 857554);
	assert_int_equal(v.hiwater_rss_kb, 1564);
	assert_int_equal(v.hiwater_vm_kb, 2920);
	assert_true(v.delay[DELAY_IRQ].extrema_known);
	assert_int_equal(v.delay[DELAY_IRQ].count, 0);
}

static void a_recorded_refusal_is_read(void **state)
{
	_cleanup_(strbuf_done) struct strbuf reply = STRBUF_INIT;
	struct taskstats_message m;
	struct slice rest, stats = {};

	(void)state;
	read_fixture("reply-esrch", &reply);
	rest = strbuf_slice(&reply);
	assert_true(taskstats_message_next(&rest, &m));
	assert_int_equal(m.seq, SEQ + 1);
	assert_int_equal(m.code, -ESRCH);
	assert_int_equal(taskstats_message_stats(&m, FAMILY, 0x7ffffffe, &stats), -ESRCH);
	assert_null(stats.s);
}

static void one_thing_wrong_is_one_answer_lost(void **state)
{
	static const struct {
		const char *label;
		size_t at;
		unsigned value;  /* 16 bits put there */
		size_t received; /* 0: all */
		int code, r;     /* of the message, and of its statistics */
	} cases[] = {
		{ "as recorded", AT_LEN, LENGTH, 0, 0, 0 },
		{ "declared longer than received", AT_LEN, LENGTH + 1, 0, -EBADMSG, -EBADMSG },
		{ "received shorter than declared", AT_LEN, LENGTH, LENGTH - 1, -EBADMSG,
		  -EBADMSG },
		{ "a header and no more received", AT_LEN, LENGTH, 16, -EBADMSG, -EBADMSG },
		{ "declared shorter than a header", AT_LEN, 15, 0, -EBADMSG, -EBADMSG },
		{ "declared empty", AT_LEN, 0, 0, -EBADMSG, -EBADMSG },
		{ "too short for a generic header", AT_LEN, 19, 0, -EBADMSG, -EBADMSG },
		{ "a generic header and no more", AT_LEN, 20, 0, 0, -EBADMSG },
		{ "cut in the first attribute's header", AT_LEN, 23, 0, 0, -EBADMSG },
		{ "cut within the statistics", AT_LEN, 100, 0, 0, -EBADMSG },
		{ "of another family", AT_TYPE, FAMILY + 1, 0, 0, -EBADMSG },
		{ "an end of several parts", AT_TYPE, NLMSG_DONE, 0, 0, -EBADMSG },
		{ "no aggregate", AT_AGGREGATE_TYPE, 5, 0, 0, -EBADMSG },
		{ "aggregate marked as nested", AT_AGGREGATE_TYPE, 4 | NLA_F_NESTED, 0, 0, 0 },
		{ "aggregate shorter than its header", AT_AGGREGATE_LEN, 3, 0, 0, -EBADMSG },
		{ "aggregate of no length", AT_AGGREGATE_LEN, 0, 0, 0, -EBADMSG },
		{ "aggregate past the end", AT_AGGREGATE_LEN, 577, 0, 0, -EBADMSG },
		{ "aggregate far past the end", AT_AGGREGATE_LEN, 65535, 0, 0, -EBADMSG },
		{ "aggregate empty", AT_AGGREGATE_LEN, 4, 0, 0, -EBADMSG },
		{ "aggregate ends with the thread", AT_AGGREGATE_LEN, 12, 0, 0, -EBADMSG },
		{ "no thread", AT_PID_TYPE, 2, 0, 0, -EBADMSG },
		{ "thread shorter than its header", AT_PID_LEN, 2, 0, 0, -EBADMSG },
		{ "thread of three bytes", AT_PID_LEN, 7, 0, 0, -EBADMSG },
		{ "thread without a number", AT_PID_LEN, 4, 0, 0, -EBADMSG },
		{ "thread past the end", AT_PID_LEN, 573, 0, 0, -EBADMSG },
		{ "another thread", AT_PID, TID + 1, 0, 0, -EBADMSG },
		{ "no statistics", AT_STATS_TYPE, 6, 0, 0, -EBADMSG },
		{ "statistics shorter than their header", AT_STATS_LEN, 3, 0, 0, -EBADMSG },
		{ "statistics past the end", AT_STATS_LEN, 565, 0, 0, -EBADMSG },
		{ "fewer statistics", AT_STATS_LEN, 564 - 128, 0, 0, 0 },
	};
	_cleanup_(strbuf_done) struct strbuf reply = STRBUF_INIT;

	(void)state;
	read_fixture("reply-v16", &reply);
	assert_int_equal(reply.len, LENGTH);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t n = cases[i].received ? cases[i].received : reply.len;
		_cleanup_free_ char *bytes = exact(reply.s, n);
		uint16_t value = (uint16_t)cases[i].value;
		struct slice rest = { bytes, n }, stats = {};
		struct taskstats_message m;

		print_message("# %s\n", cases[i].label);
		memcpy(bytes + cases[i].at, &value, sizeof(value));
		assert_true(taskstats_message_next(&rest, &m));
		assert_int_equal(m.seq, SEQ);
		assert_int_equal(m.code, cases[i].code);
		assert_int_equal(taskstats_message_stats(&m, FAMILY, TID, &stats), cases[i].r);
		assert_int_equal(stats.s == bytes + AT_STATS, cases[i].r == 0);
	}
}

static void what_has_no_header_is_no_message(void **state)
{
	_cleanup_(strbuf_done) struct strbuf reply = STRBUF_INIT;

	(void)state;
	read_fixture("reply-v16", &reply);
	for (size_t n = 0; n < NLMSG_HDRLEN; n++) {
		_cleanup_free_ char *bytes = exact(reply.s, n);
		struct slice rest = { bytes, n };
		struct taskstats_message m;

		assert_false(taskstats_message_next(&rest, &m));
	}
}

static void a_refusal_keeps_its_error(void **state)
{
	static const struct {
		const char *label;
		int error;
		uint32_t len;
		int code;
	} cases[] = {
		{ "not permitted", -EPERM, 36, -EPERM },
		{ "no such thread", -ESRCH, 36, -ESRCH },
		{ "another one", -ENOMEM, 36, -ENOMEM },
		{ "the error and no more", -ESRCH, 20, -ESRCH },
		{ "cut in the error", -ESRCH, 19, -EBADMSG },
		{ "cut before the error", -ESRCH, 16, -EBADMSG },
		{ "an acknowledgement", 0, 36, -EBADMSG },
		{ "a positive one", ESRCH, 36, -EBADMSG },
		{ "the last one", -4095, 36, -4095 },
		{ "beyond all errors", -4096, 36, -EBADMSG },
		{ "far beyond", INT32_MIN, 36, -EBADMSG },
		{ "longer than received", -ESRCH, 37, -EBADMSG },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct {
			struct nlmsghdr nl;
			struct nlmsgerr why;
		} a = {
			.nl = { .nlmsg_len = cases[i].len,
				.nlmsg_type = NLMSG_ERROR,
				.nlmsg_seq = SEQ },
			.why = { .error = cases[i].error },
		};
		_cleanup_free_ char *bytes = exact(&a, sizeof(a));
		struct slice rest = { bytes, sizeof(a) }, stats;
		struct taskstats_message m;

		print_message("# %s\n", cases[i].label);
		assert_true(taskstats_message_next(&rest, &m));
		assert_int_equal(m.seq, SEQ);
		assert_int_equal(m.code, cases[i].code);
		assert_int_equal(taskstats_message_stats(&m, FAMILY, TID, &stats), cases[i].code);
	}
}

static void several_messages_in_one_datagram_are_taken_in_turn(void **state)
{
	_cleanup_(strbuf_done) struct strbuf datagram = STRBUF_INIT, refusal = STRBUF_INIT;
	struct taskstats_message m;
	struct slice rest, stats;
	uint32_t odd = 21;

	(void)state;
	read_fixture("reply-v16", &datagram);
	read_fixture("reply-esrch", &refusal);
	strbuf_addslice(&datagram, strbuf_slice(&refusal));
	/* 21 bytes are followed by 3 of padding. */
	strbuf_add(&datagram, datagram.s, 24);
	memcpy(datagram.s + datagram.len - 24, &odd, sizeof(odd));
	strbuf_addslice(&datagram, strbuf_slice(&refusal));
	strbuf_addstr(&datagram, "fewer than 16");
	rest = strbuf_slice(&datagram);
	assert_true(taskstats_message_next(&rest, &m));
	assert_int_equal(taskstats_message_stats(&m, FAMILY, TID, &stats), 0);
	assert_true(taskstats_message_next(&rest, &m));
	assert_int_equal(m.code, -ESRCH);
	assert_true(taskstats_message_next(&rest, &m));
	assert_int_equal(m.code, 0);
	assert_int_equal(m.attrs.n, 1);
	assert_true(taskstats_message_next(&rest, &m));
	assert_int_equal(m.code, -ESRCH);
	assert_false(taskstats_message_next(&rest, &m));
}

static void behind_a_wrong_length_nothing_is_taken(void **state)
{
	static const uint32_t lengths[] = { 0, 15, 1000, UINT32_MAX };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		_cleanup_(strbuf_done) struct strbuf datagram = STRBUF_INIT;
		struct taskstats_message m;
		struct slice rest;

		read_fixture("reply-esrch", &datagram);
		strbuf_add(&datagram, datagram.s, datagram.len);
		memcpy(datagram.s, &lengths[i], sizeof(lengths[i]));
		rest = strbuf_slice(&datagram);
		assert_true(taskstats_message_next(&rest, &m));
		assert_int_equal(m.code, -EBADMSG);
		assert_false(taskstats_message_next(&rest, &m));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recorded_answer_is_read),
		cmocka_unit_test(a_recorded_refusal_is_read),
		cmocka_unit_test(one_thing_wrong_is_one_answer_lost),
		cmocka_unit_test(what_has_no_header_is_no_message),
		cmocka_unit_test(a_refusal_keeps_its_error),
		cmocka_unit_test(several_messages_in_one_datagram_are_taken_in_turn),
		cmocka_unit_test(behind_a_wrong_length_nothing_is_taken),
	};

	return cmocka_run_group_tests_name("taskstats_message", tests, NULL, NULL);
}
