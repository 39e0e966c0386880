// SPDX-License-Identifier: GPL-2.0-only
/* Against the kernel we run on, which may not have it or not let us ask. */
#include "sys/taskstats.h"

#include <errno.h>
#include <string.h>
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(our_own_thread_is_answered_for),
		cmocka_unit_test(a_thread_that_is_not_there_is_told),
	};

	return cmocka_run_group_tests_name("taskstats", tests, NULL, NULL);
}
