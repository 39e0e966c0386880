// SPDX-License-Identifier: GPL-2.0-only
#include "doctor/kvm_trial.h"

#include <string.h>
#include <unistd.h>

#include "unit.h"
#include "util/child.h"
#include "util/cleanup.h"

static void run_the_loop(void *ctx, int out)
{
	struct kvm_answer answer = {};

	(void)ctx;
	answer.result = kvm_loop(&answer.loop_ns);
	if (write(out, &answer, sizeof(answer)) != sizeof(answer))
		_exit(1);
}

static void a_guest_loop_takes_time_or_there_is_a_reason(void **state)
{
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
	struct kvm_answer answer;
	struct child child;

	(void)state;
	assert_int_equal(child_start(&child, run_the_loop, NULL, 5000), 0);
	if (child_finish(&child, &out) < 0)
		skip(); /* a KVM that hangs: told as such */
	assert_int_equal(out.len, sizeof(answer));
	memcpy(&answer, out.s, sizeof(answer));
	if (answer.result == 0)
		assert_true(answer.loop_ns > 0);
	else
		assert_true(answer.result < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_guest_loop_takes_time_or_there_is_a_reason),
	};

	return cmocka_run_group_tests_name("kvm_trial", tests, NULL, NULL);
}
