// SPDX-License-Identifier: GPL-2.0-only
/* Against the kernel we run on, which may not have it or not let us ask. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "sys/taskstats.h"
#include "unit.h"
#include "util/cleanup.h"

#define NO_SUCH_THREAD 0x7ffffffe /* above any limit of the kernel */
#define NOBODY         65534

/* Sleeping threads and a link to ask about them. */
struct crowd {
	struct taskstats_link link;
	int hold[2]; /* a pipe nobody writes to: its readers sleep until it is closed */
	pthread_t threads[TASKSTATS_BATCH];
	pid_t tids[TASKSTATS_BATCH];
};

struct sleeper {
	struct crowd *crowd;
	size_t i;
	pthread_barrier_t *named;
};

static void *sleep_on_pipe(void *arg)
{
	struct sleeper me = *(struct sleeper *)arg;
	char byte;

	me.crowd->tids[me.i] = gettid();
	pthread_barrier_wait(me.named);
	while (read(me.crowd->hold[0], &byte, 1) < 0 && errno == EINTR)
		;
	return NULL;
}

static int may_ask(struct taskstats_link *link)
{
	_cleanup_(strbuf_done) struct strbuf stats = STRBUF_INIT;

	return taskstats_get(link, gettid(), &stats);
}

static void gather(struct crowd *crowd)
{
	struct sleeper sleepers[TASKSTATS_BATCH];
	pthread_barrier_t named;
	int r;

	*crowd = (struct crowd){ .link = TASKSTATS_LINK_INIT };
	r = taskstats_open(&crowd->link);
	if (r == 0)
		r = may_ask(&crowd->link);
	if (r == -ENOENT || r == -EPERM) {
		taskstats_close(&crowd->link);
		skip();
	}
	assert_int_equal(r, 0);
	assert_int_equal(pipe(crowd->hold), 0);
	pthread_barrier_init(&named, NULL, TASKSTATS_BATCH + 1);
	for (size_t i = 0; i < TASKSTATS_BATCH; i++) {
		sleepers[i] = (struct sleeper){ crowd, i, &named };
		assert_int_equal(
			pthread_create(&crowd->threads[i], NULL, sleep_on_pipe, &sleepers[i]), 0);
	}
	pthread_barrier_wait(&named);
	pthread_barrier_destroy(&named);
}

static void dismiss(struct crowd *crowd)
{
	close(crowd->hold[1]);
	for (size_t i = 0; i < TASKSTATS_BATCH; i++)
		pthread_join(crowd->threads[i], NULL);
	close(crowd->hold[0]);
	taskstats_close(&crowd->link);
}

static void one_by_one(struct crowd *crowd, struct taskstats_values *ret)
{
	for (size_t i = 0; i < TASKSTATS_BATCH; i++) {
		_cleanup_(strbuf_done) struct strbuf stats = STRBUF_INIT;

		assert_int_equal(taskstats_get(&crowd->link, crowd->tids[i], &stats), 0);
		assert_int_equal(taskstats_decode(strbuf_slice(&stats), &ret[i]), 0);
	}
}

static bool same_delays(const struct taskstats_values *a, const struct taskstats_values *b)
{
	for (size_t i = 0; i < DELAY_COUNT; i++) {
		const struct delay *x = &a->delay[i], *y = &b->delay[i];

		if (x->count != y->count || x->total_ns != y->total_ns || x->max_ns != y->max_ns ||
		    x->min_ns != y->min_ns || x->known != y->known ||
		    x->extrema_known != y->extrema_known)
			return false;
	}
	return a->version == b->version && a->hiwater_known == b->hiwater_known;
}

static size_t differing(const struct taskstats_values *a, const struct taskstats_values *b)
{
	size_t n = 0;

	for (size_t i = 0; i < TASKSTATS_BATCH; i++)
		n += !same_delays(&a[i], &b[i]);
	return n;
}

/* The same for all threads, asked one by one before and after: nobody ran meanwhile, so what @many
 * got in between must be that, too. */
static void compare(struct crowd *crowd)
{
	struct taskstats_values before[TASKSTATS_BATCH], after[TASKSTATS_BATCH];
	struct taskstats_answer many[TASKSTATS_BATCH];

	one_by_one(crowd, before);
	for (;;) {
		taskstats_get_many(&crowd->link, crowd->tids, TASKSTATS_BATCH, many);
		one_by_one(crowd, after);
		if (differing(before, after) == 0)
			break;
		/* Some are still on their way to sleep. */
		memcpy(before, after, sizeof(before));
	}
	for (size_t i = 0; i < TASKSTATS_BATCH; i++) {
		assert_int_equal(many[i].code, 0);
		assert_true(same_delays(&many[i].values, &before[i]));
		assert_true(many[i].values.delay[DELAY_CPU].known);
	}
	/* The comparison can fail. */
	before[TASKSTATS_BATCH - 1].delay[DELAY_CPU].count++;
	assert_int_equal(differing(before, after), 1);
}

static void our_own_thread_is_answered_for(void **state)
{
	_cleanup_(taskstats_close) struct taskstats_link link = TASKSTATS_LINK_INIT;
	_cleanup_(strbuf_done) struct strbuf stats = STRBUF_INIT;
	struct taskstats_values v;
	int r = taskstats_open(&link);

	(void)state;
	if (r == 0)
		r = taskstats_get(&link, gettid(), &stats);
	if (r == -ENOENT || r == -EPERM)
		skip();
	assert_int_equal(r, 0);
	/* 328 bytes up to version 8, the oldest that is still around. */
	assert_in_range(stats.len, 328, 4096);
	assert_int_equal(taskstats_decode(strbuf_slice(&stats), &v), 0);
	assert_in_range(v.version, 1, 1000);
	assert_true(v.hiwater_known);
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

static void a_batch_equals_single_questions(void **state)
{
	struct crowd crowd;

	(void)state;
	gather(&crowd);
	compare(&crowd);
	dismiss(&crowd);
}

static void what_did_not_fit_into_the_queue_is_asked_again(void **state)
{
	const int smallest = 1;
	struct crowd crowd;

	(void)state;
	gather(&crowd);
	assert_int_equal(
		setsockopt(crowd.link.fd, SOL_SOCKET, SO_RCVBUF, &smallest, sizeof(smallest)), 0);
	compare(&crowd);
	dismiss(&crowd);
}

static void the_dead_among_the_living_are_told_apart(void **state)
{
	static const size_t sizes[] = { 1, 2, 3, 31, TASKSTATS_BATCH };
	struct taskstats_answer got[TASKSTATS_BATCH];
	struct crowd crowd;

	(void)state;
	gather(&crowd);
	for (size_t i = 0; i < TASKSTATS_BATCH; i += 3)
		crowd.tids[i] = NO_SUCH_THREAD;
	for (size_t k = 0; k < ARRAY_SIZE(sizes); k++) {
		taskstats_get_many(&crowd.link, crowd.tids, sizes[k], got);
		for (size_t i = 0; i < sizes[k]; i++) {
			assert_int_equal(got[i].code, i % 3 ? 0 : -ESRCH);
			assert_int_equal(got[i].values.delay[DELAY_CPU].known, i % 3 != 0);
		}
	}
	dismiss(&crowd);
}

/* Exits with the errno all 64 answers have in common; 250 when they differ, 251 when there is no
 * link. */
static void ask_as_we_are(void)
{
	struct taskstats_link link = TASKSTATS_LINK_INIT;
	struct taskstats_answer got[TASKSTATS_BATCH];
	pid_t tids[TASKSTATS_BATCH];

	if (taskstats_open(&link) < 0)
		_exit(251);
	for (size_t i = 0; i < TASKSTATS_BATCH; i++)
		tids[i] = gettid();
	for (int round = 0; round < 3; round++) {
		taskstats_get_many(&link, tids, TASKSTATS_BATCH, got);
		for (size_t i = 1; i < TASKSTATS_BATCH; i++) {
			if (got[i].code != got[0].code)
				_exit(250);
		}
	}
	_exit(-got[0].code);
}

static void ask_as_nobody(const void *arg)
{
	(void)arg;
	if (setresuid(NOBODY, NOBODY, NOBODY) < 0)
		_exit(252);
	ask_as_we_are();
}

static void ask_in_a_network_namespace(const void *arg)
{
	(void)arg;
	if (unshare(CLONE_NEWNET) < 0)
		_exit(252);
	ask_as_we_are();
}

static void without_privilege_each_is_refused(void **state)
{
	int status;

	(void)state;
	if (geteuid() != 0)
		skip();
	status = child_status(ask_as_nobody, NULL);
	if (status == 251)
		skip(); /* no such family */
	assert_int_equal(status, EPERM);
}

static void in_another_network_namespace_nothing_breaks(void **state)
{
	int status;

	(void)state;
	status = child_status(ask_in_a_network_namespace, NULL);
	if (status == 252)
		skip();
	/* Answered, hidden or refused, as the kernel likes; but the same for all of a batch. */
	print_message("# status %d\n", status);
	assert_true(status == 0 || status == 251 || status == EPERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(our_own_thread_is_answered_for),
		cmocka_unit_test(a_thread_that_is_not_there_is_told),
		cmocka_unit_test(a_batch_equals_single_questions),
		cmocka_unit_test(what_did_not_fit_into_the_queue_is_asked_again),
		cmocka_unit_test(the_dead_among_the_living_are_told_apart),
		cmocka_unit_test(without_privilege_each_is_refused),
		cmocka_unit_test(in_another_network_namespace_nothing_breaks),
	};

	return cmocka_run_group_tests_name("taskstats_live", tests, NULL, NULL);
}
