// SPDX-License-Identifier: GPL-2.0-only
#include "vm/kvm_trial.h"

#include <errno.h>

#include "unit.h"

static void a_guest_loop_takes_time_or_there_is_a_reason(void **state)
{
	struct child child;
	uint64_t ns = 0;
	int r;

	(void)state;
	assert_int_equal(kvm_trial_start(&child), 0);
	r = kvm_trial_finish(&child, &ns);
	if (r == -ETIMEDOUT)
		skip(); /* a KVM that hangs: told as such */
	if (r == 0)
		assert_true(ns > 0);
	else
		assert_true(r < 0 && ns == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_guest_loop_takes_time_or_there_is_a_reason),
	};

	return cmocka_run_group_tests_name("kvm_trial", tests, NULL, NULL);
}
