// SPDX-License-Identifier: GPL-2.0-only
/* strbuf and strv. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"
#include "util/strv.h"

static void a_fresh_buffer_is_a_terminated_empty_string(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	(void)state;
	assert_string_equal(sb.s, "");
	strbuf_reset(&sb);
	strbuf_add(&sb, NULL, 0);
	assert_string_equal(sb.s, "");
	strbuf_done(&sb);
}

static void it_grows_by_every_way_of_adding(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	(void)state;
	strbuf_addstr(&sb, "ab");
	strbuf_addch(&sb, 'c');
	strbuf_addslice(&sb, SLICE_LIT("de"));
	strbuf_addf(&sb, "%d-%s", 42, "x");
	assert_string_equal(sb.s, "abcde42-x");
	assert_int_equal(sb.len, 9);
	strbuf_setlen(&sb, 3);
	assert_string_equal(sb.s, "abc");
	strbuf_done(&sb);
	assert_string_equal(sb.s, "");
}

static void formatted_text_of_any_length_fits(void **state)
{
	char words[5000];

	(void)state;
	memset(words, 'w', sizeof(words));
	for (int n = 0; n < 5000; n += 61) {
		struct strbuf sb = STRBUF_INIT;

		strbuf_addf(&sb, "%.*s|", n, words);
		assert_int_equal(sb.len, n + 1);
		assert_int_equal(strlen(sb.s), n + 1);
		strbuf_done(&sb);
	}
}

static void bytes_may_hold_nul(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	(void)state;
	strbuf_add(&sb, "a\0b", 3);
	assert_int_equal(strbuf_slice(&sb).n, 3);
	assert_memory_equal(sb.s, "a\0b\0", 4);
	strbuf_done(&sb);
}

static void what_is_stolen_belongs_to_the_thief(void **state)
{
	struct strbuf sb = STRBUF_INIT;
	char *empty = strbuf_steal(&sb), *full;

	(void)state;
	strbuf_addstr(&sb, "mine");
	full = strbuf_steal(&sb);
	assert_string_equal(empty, "");
	assert_string_equal(full, "mine");
	assert_int_equal(sb.len, 0);
	free(empty);
	free(full);
}

static void a_vector_of_strings_ends_in_null(void **state)
{
	struct strv sv = STRV_INIT;

	(void)state;
	for (int i = 0; i < 40; i++) {
		strv_addf(&sv, "%02d", 40 - i);
		assert_null(sv.v[sv.n]);
	}
	strv_add(&sv, "00");
	strv_sort(&sv);
	assert_int_equal(sv.n, 41);
	assert_string_equal(sv.v[0], "00");
	assert_string_equal(sv.v[40], "40");
	assert_null(sv.v[41]);
	strv_done(&sv);
	strv_sort(&sv);
	assert_null(sv.v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fresh_buffer_is_a_terminated_empty_string),
		cmocka_unit_test(it_grows_by_every_way_of_adding),
		cmocka_unit_test(formatted_text_of_any_length_fits),
		cmocka_unit_test(bytes_may_hold_nul),
		cmocka_unit_test(what_is_stolen_belongs_to_the_thief),
		cmocka_unit_test(a_vector_of_strings_ends_in_null),
	};

	return cmocka_run_group_tests_name("strbuf", tests, NULL, NULL);
}
