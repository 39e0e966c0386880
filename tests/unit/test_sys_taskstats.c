// SPDX-License-Identifier: GPL-2.0-only
/* Against the kernel we run on, which may not have it or not let us ask, and against a socket pair
 * whose other end plays the kernel. */
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

#define NO_SUCH_THREAD 0x7ffffffe /* above any limit of the kernel */

static void our_own_thread_is_answered_for(void **state)
{
	_cleanup_(taskstats_close) struct taskstats_link link = TASKSTATS_LINK_INIT;
	_cleanup_(strbuf_done) struct strbuf stats = STRBUF_INIT;
	uint16_t version;
	int r = taskstats_open(&link);

	(void)state;
	if (r == 0)
		r = taskstats_get(&link, gettid(), &stats);
	if (r == -ENOENT || r == -EPERM)
		skip();
	assert_int_equal(r, 0);
	memcpy(&version, stats.s, sizeof(version));
	assert_in_range(version, 1, 1000);
	/* 328 bytes up to version 8, the oldest that is still around. */
	assert_in_range(stats.len, 328, 4096);
}

static void a_thread_that_is_not_there_is_told(void **state)
{
	_cleanup_(taskstats_close) struct taskstats_link link = TASKSTATS_LINK_INIT;
	_cleanup_(strbuf_done) struct strbuf stats = STRBUF_INIT;
	int r = taskstats_open(&link);

	(void)state;
	if (r == 0)
		r = taskstats_get(&link, NO_SUCH_THREAD, &stats);
	if (r == -ENOENT || r == -EPERM)
		skip();
	assert_int_equal(r, -ESRCH);
	assert_int_equal(stats.len, 0);
}

/* An answer as the kernel lays it out, with statistics cut down to their version. */
struct answer {
	struct nlmsghdr nl;
	struct genlmsghdr genl;
	struct nlattr aggregate, pid;
	uint32_t tid;
	struct nlattr stats;
	uint16_t version, pad;
};

static int kernel_end; /* the signal handler writes to it */

static void answer(uint32_t seq, uint32_t tid, uint16_t version)
{
	const struct answer a = {
		.nl = { .nlmsg_len = sizeof(a), .nlmsg_seq = seq },
		.aggregate = { sizeof(a) - offsetof(struct answer, aggregate),
			       TASKSTATS_TYPE_AGGR_PID },
		.pid = { NLA_HDRLEN + sizeof(a.tid), TASKSTATS_TYPE_PID },
		.tid = tid,
		.stats = { NLA_HDRLEN + sizeof(a.version), TASKSTATS_TYPE_STATS },
		.version = version,
	};

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(our_own_thread_is_answered_for),
		cmocka_unit_test(a_thread_that_is_not_there_is_told),
		cmocka_unit_test(only_the_answer_to_our_question_counts),
		cmocka_unit_test(signals_and_late_answers_do_not_lengthen_the_wait),
	};

	return cmocka_run_group_tests_name("taskstats", tests, NULL, NULL);
}
