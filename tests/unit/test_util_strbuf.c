// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"
#include "util/strbuf.h"

static void a_fresh_buffer_is_a_terminated_empty_string(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	(void)state;
	assert_string_equal(sb.s, "");
	assert_int_equal(sb.len, 0);
	strbuf_done(&sb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fresh_buffer_is_a_terminated_empty_string),
	};

	return cmocka_run_group_tests_name("strbuf", tests, NULL, NULL);
}
