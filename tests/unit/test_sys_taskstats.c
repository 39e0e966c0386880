// SPDX-License-Identifier: GPL-2.0-only
/* The link, against a socket pair whose other end plays the kernel. */
#include "sys/taskstats.h"

#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/taskstats.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "unit.h"
#include "util/cleanup.h"

/* An answer as the kernel lays it out, with statistics cut down to their version. */
struct answer {
	struct nlmsghdr nl;
	struct genlmsghdr genl;
	struct nlattr aggregate, pid;
	uint32_t tid;
	struct nlattr stats;
	uint16_t version, pad;
};

#define FAMILY 29

static int kernel_end; /* the signal handler writes to it */

static struct answer answer_of(uint32_t seq, uint32_t tid, uint16_t version)
{
	return (struct answer){
		.nl = { .nlmsg_len = sizeof(struct answer),
			.nlmsg_type = FAMILY,
			.nlmsg_seq = seq },
		.aggregate = { sizeof(struct answer) - offsetof(struct answer, aggregate),
			       TASKSTATS_TYPE_AGGR_PID },
		.pid = { NLA_HDRLEN + sizeof(tid), TASKSTATS_TYPE_PID },
		.tid = tid,
		.stats = { NLA_HDRLEN + sizeof(version), TASKSTATS_TYPE_STATS },
		.version = version,
	};
}

static void answer(uint32_t seq, uint32_t tid, uint16_t version)
{
	const struct answer a = answer_of(seq, tid, version);

	if (send(kernel_end, &a, sizeof(a), MSG_DONTWAIT) != sizeof(a))
		abort();
}

static void refuse(uint32_t seq, int error)
{
	const struct {
		struct nlmsghdr nl;
		struct nlmsgerr why;
	} a = {
		.nl = { .nlmsg_len = sizeof(a), .nlmsg_type = NLMSG_ERROR, .nlmsg_seq = seq },
		.why = { .error = error },
	};

	assert_int_equal(send(kernel_end, &a, sizeof(a), 0), sizeof(a));
}

static void play_kernel(struct taskstats_link *link)
{
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
	link->fd = fds[0];
	link->family = FAMILY;
	kernel_end = fds[1];
}

static void assert_answer(struct taskstats_link *link, pid_t tid, int r, uint16_t version)
{
	_cleanup_(strbuf_done) struct strbuf stats = STRBUF_INIT;

	assert_int_equal(taskstats_get(link, tid, &stats), r);
	assert_int_equal(stats.len, r == 0 ? sizeof(version) : 0);
	if (r == 0)
		assert_memory_equal(stats.s, &version, sizeof(version));
}

static void only_the_answer_to_our_question_counts(void **state)
{
	_cleanup_(taskstats_close) struct taskstats_link link = TASKSTATS_LINK_INIT;

	(void)state;
	play_kernel(&link);
	answer(1, 7, 11);
	assert_answer(&link, 7, 0, 11);
	/* The first answer once more, as if we had not waited for it. */
	answer(1, 7, 11);
	refuse(1, -ESRCH);
	answer(2, 8, 12);
	assert_answer(&link, 8, 0, 12);
	refuse(3, -ESRCH);
	assert_answer(&link, 9, -ESRCH, 0);
	answer(4, 8, 12);
	assert_answer(&link, 9, -EBADMSG, 0);
	close(kernel_end);
}

static void answer_late(int signal)
{
	(void)signal;
	answer(0, 7, 11);
}

static void signals_and_late_answers_do_not_lengthen_the_wait(void **state)
{
	_cleanup_(taskstats_close) struct taskstats_link link = TASKSTATS_LINK_INIT;
	const struct sigaction handler = { .sa_handler = answer_late };
	const struct itimerval ticks = { { .tv_usec = 50000 }, { .tv_usec = 50000 } }, none = {};
	struct timespec before, after;

	(void)state;
	play_kernel(&link);
	assert_int_equal(sigaction(SIGALRM, &handler, NULL), 0);
	clock_gettime(CLOCK_MONOTONIC, &before);
	assert_int_equal(setitimer(ITIMER_REAL, &ticks, NULL), 0);
	assert_answer(&link, 7, -ETIMEDOUT, 0);
	assert_int_equal(setitimer(ITIMER_REAL, &none, NULL), 0);
	clock_gettime(CLOCK_MONOTONIC, &after);
	/* A second; the rest is for a busy machine. */
	assert_in_range(after.tv_sec - before.tv_sec, 0, 5);
	/* What was asked first is answered now: the link is none the worse for it. */
	answer(1, 7, 11);
	answer(2, 8, 12);
	assert_answer(&link, 8, 0, 12);
	close(kernel_end);
}

/* What is asked about thread @i of a batch. */
static pid_t tid_of(size_t i)
{
	return (pid_t)(1000 + 7 * i);
}

/* Version 100 + i is thread i's answer, so that none can pass for another. */
static void answer_ith(uint32_t first_seq, size_t i)
{
	answer((uint32_t)(first_seq + i), (uint32_t)tid_of(i), (uint16_t)(100 + i));
}

static void ask_many(struct taskstats_link *link, size_t n, struct taskstats_answer *ret)
{
	pid_t tids[TASKSTATS_BATCH];

	for (size_t i = 0; i < n; i++)
		tids[i] = tid_of(i);
	memset(ret, 0xff, n * sizeof(*ret));
	taskstats_get_many(link, tids, n, ret);
}

static void assert_ith(const struct taskstats_answer *a, size_t i, int code)
{
	assert_int_equal(a[i].code, code);
	assert_int_equal(a[i].values.version, code == 0 ? 100 + i : 0);
	assert_false(a[i].values.delay[DELAY_CPU].known);
}

static void a_batch_is_one_send_of_one_request_a_thread(void **state)
{
	static const size_t sizes[] = { 1, 2, 63, TASKSTATS_BATCH };
	_cleanup_(taskstats_close) struct taskstats_link link = TASKSTATS_LINK_INIT;
	struct taskstats_answer got[TASKSTATS_BATCH];
	uint32_t seq = 0;

	(void)state;
	play_kernel(&link);
	for (size_t k = 0; k < ARRAY_SIZE(sizes); k++) {
		struct {
			struct nlmsghdr nl;
			struct genlmsghdr genl;
			struct nlattr attr;
			uint32_t tid;
		} asked[TASKSTATS_BATCH + 1];

		for (size_t i = 0; i < sizes[k]; i++)
			answer_ith(seq + 1, i);
		ask_many(&link, sizes[k], got);
		assert_int_equal(recv(kernel_end, asked, sizeof(asked), MSG_DONTWAIT),
				 28 * sizes[k]);
		for (size_t i = 0; i < sizes[k]; i++) {
			assert_ith(got, i, 0);
			assert_int_equal(asked[i].nl.nlmsg_len, 28);
			assert_int_equal(asked[i].nl.nlmsg_type, FAMILY);
			assert_int_equal(asked[i].nl.nlmsg_flags, NLM_F_REQUEST);
			assert_int_equal(asked[i].nl.nlmsg_seq, ++seq);
			assert_int_equal(asked[i].genl.cmd, TASKSTATS_CMD_GET);
			assert_int_equal(asked[i].attr.nla_len, 8);
			assert_int_equal(asked[i].attr.nla_type, TASKSTATS_CMD_ATTR_PID);
			assert_int_equal(asked[i].tid, tid_of(i));
		}
		assert_int_equal(recv(kernel_end, asked, sizeof(asked), MSG_DONTWAIT), -1);
	}
	close(kernel_end);
}

static void answers_find_their_question_in_any_order(void **state)
{
	_cleanup_(taskstats_close) struct taskstats_link link = TASKSTATS_LINK_INIT;
	struct taskstats_answer got[TASKSTATS_BATCH];
	struct answer several[3];

	(void)state;
	play_kernel(&link);
	link.seq = UINT32_MAX - 3; /* numbers wrap in this batch */
	for (size_t i = 8; i-- > 4;)
		answer_ith(link.seq + 1, i);
	answer_ith(link.seq - 5, 0);      /* for somebody before us */
	answer_ith(link.seq + 1, 5);      /* once more */
	refuse(link.seq + 1 + 8, -EPERM); /* for nobody yet */
	for (size_t i = 0; i < ARRAY_SIZE(several); i++)
		several[i] = answer_of((uint32_t)(link.seq + 1 + i), (uint32_t)tid_of(i),
				       (uint16_t)(100 + i));
	several[1].tid++;
	assert_int_equal(send(kernel_end, several, sizeof(several), 0), sizeof(several));
	refuse(link.seq + 1 + 3, -ESRCH);
	ask_many(&link, 8, got);
	for (size_t i = 0; i < 8; i++)
		assert_ith(got, i, i == 1 ? -EBADMSG : i == 3 ? -ESRCH : 0);
	close(kernel_end);
}

static void a_damaged_answer_costs_only_itself(void **state)
{
	_cleanup_(taskstats_close) struct taskstats_link link = TASKSTATS_LINK_INIT;
	struct taskstats_answer got[TASKSTATS_BATCH];
	struct answer damaged = answer_of(2, (uint32_t)tid_of(1), 101);

	(void)state;
	play_kernel(&link);
	answer_ith(1, 0);
	damaged.nl.nlmsg_len++;
	assert_int_equal(send(kernel_end, &damaged, sizeof(damaged), 0), sizeof(damaged));
	damaged.nl.nlmsg_len--;
	damaged.nl.nlmsg_seq = 3;
	damaged.tid = (uint32_t)tid_of(2);
	damaged.stats.nla_len = NLA_HDRLEN + 1; /* not even a version */
	assert_int_equal(send(kernel_end, &damaged, sizeof(damaged), 0), sizeof(damaged));
	answer_ith(1, 3);
	ask_many(&link, 4, got);
	assert_ith(got, 0, 0);
	assert_ith(got, 1, -EBADMSG);
	assert_ith(got, 2, -EBADMSG);
	assert_ith(got, 3, 0);
	/* What is no message at all tells of nobody: all that are missing are lost, none is waited
	 * for, and the next round is none the worse. */
	answer_ith(5, 0);
	assert_int_equal(send(kernel_end, "garbage", 7, 0), 7);
	ask_many(&link, 2, got);
	assert_ith(got, 0, 0);
	assert_ith(got, 1, -EBADMSG);
	answer_ith(7, 0);
	ask_many(&link, 1, got);
	assert_ith(got, 0, 0);
	close(kernel_end);
}

static void those_without_an_answer_time_out_together(void **state)
{
	_cleanup_(taskstats_close) struct taskstats_link link = TASKSTATS_LINK_INIT;
	struct taskstats_answer got[TASKSTATS_BATCH];
	struct timespec before, after;

	(void)state;
	play_kernel(&link);
	for (size_t i = 0; i < TASKSTATS_BATCH; i += 2)
		answer_ith(1, i);
	clock_gettime(CLOCK_MONOTONIC, &before);
	ask_many(&link, TASKSTATS_BATCH, got);
	clock_gettime(CLOCK_MONOTONIC, &after);
	/* A second for all of the 32; the rest is for a busy machine. */
	assert_in_range(after.tv_sec - before.tv_sec, 0, 10);
	for (size_t i = 0; i < TASKSTATS_BATCH; i++)
		assert_ith(got, i, i % 2 ? -ETIMEDOUT : 0);
	answer_ith(1, 1);
	answer_ith(1 + TASKSTATS_BATCH, 0);
	ask_many(&link, 1, got);
	assert_ith(got, 0, 0);
	close(kernel_end);
}

static void a_link_that_cannot_send_says_so_for_each(void **state)
{
	struct taskstats_link link = TASKSTATS_LINK_INIT;
	struct taskstats_answer got[TASKSTATS_BATCH];

	(void)state;
	ask_many(&link, TASKSTATS_BATCH, got);
	for (size_t i = 0; i < TASKSTATS_BATCH; i++)
		assert_ith(got, i, -EBADF);
	ask_many(&link, 0, got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_answer_to_our_question_counts),
		cmocka_unit_test(signals_and_late_answers_do_not_lengthen_the_wait),
		cmocka_unit_test(a_batch_is_one_send_of_one_request_a_thread),
		cmocka_unit_test(answers_find_their_question_in_any_order),
		cmocka_unit_test(a_damaged_answer_costs_only_itself),
		cmocka_unit_test(those_without_an_answer_time_out_together),
		cmocka_unit_test(a_link_that_cannot_send_says_so_for_each),
	};

	return cmocka_run_group_tests_name("taskstats", tests, NULL, NULL);
}
