// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "util/err.h"

static void setting_returns_the_code_and_keeps_the_words(void **state)
{
	struct err err;

	(void)state;
	assert_int_equal(err_set(&err, -ENOENT, "no '%s'", "x"), -ENOENT);
	assert_string_equal(err.text, "no 'x'");
}

static void a_prefix_stands_before_what_was_said(void **state)
{
	struct err err;

	(void)state;
	(void)err_set(&err, -EINVAL, "bad number");
	assert_int_equal(err_prefix(&err, -EINVAL, "line %d", 3), -EINVAL);
	assert_string_equal(err.text, "line 3: bad number");
}

static void overlong_words_are_cut_and_terminated(void **state)
{
	char words[2048];
	struct err err;

	(void)state;
	memset(words, 'a', sizeof(words) - 1);
	words[sizeof(words) - 1] = '\0';
	(void)err_set(&err, -EINVAL, "%s", words);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	(void)err_prefix(&err, -EINVAL, "p");
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_memory_equal(err.text, "p: aaa", 6);
	(void)err_prefix(&err, -EINVAL, "%s", words);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
}

static void nobody_has_to_listen(void **state)
{
	(void)state;
	assert_int_equal(err_set(NULL, -EIO, "unheard"), -EIO);
	assert_int_equal(err_prefix(NULL, -EIO, "unheard"), -EIO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(setting_returns_the_code_and_keeps_the_words),
		cmocka_unit_test(a_prefix_stands_before_what_was_said),
		cmocka_unit_test(overlong_words_are_cut_and_terminated),
		cmocka_unit_test(nobody_has_to_listen),
	};

	return cmocka_run_group_tests_name("err", tests, NULL, NULL);
}
