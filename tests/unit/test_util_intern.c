// SPDX-License-Identifier: GPL-2.0-only
#include "util/intern.h"

#include "unit.h"
#include "util/cleanup.h"
#include "util/strbuf.h"

static void equal_texts_are_one_copy_and_others_are_not(void **state)
{
	_cleanup_(arena_done) struct arena arena = ARENA_INIT;
	_cleanup_(intern_done) struct intern pool = INTERN_INIT(&arena);
	char text[] = "worker";
	const char *first = intern(&pool, slice_of(text));

	(void)state;
	assert_ptr_not_equal(first, text);
	assert_string_equal(first, "worker");
	assert_ptr_equal(intern(&pool, SLICE_LIT("worker")), first);
	assert_ptr_not_equal(intern(&pool, SLICE_LIT("worke")), first);
	assert_ptr_not_equal(intern(&pool, SLICE_LIT("worker\0")), first);
	assert_string_equal(intern(&pool, (struct slice){}), "");
	assert_int_equal(pool.bytes, 7 + 6 + 8 + 1);
}

static void many_texts_are_found_again(void **state)
{
	_cleanup_(arena_done) struct arena arena = ARENA_INIT;
	_cleanup_(intern_done) struct intern pool = INTERN_INIT(&arena);
	const size_t n = 20000;
	const char **copies = arena_alloc_array(&arena, n, sizeof(*copies));
	size_t again = 0;

	(void)state;
	for (size_t round = 0; round < 2; round++)
		for (size_t i = 0; i < n; i++) {
			_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
			const char *copy;

			strbuf_addf(&text, "text %zu", i);
			copy = intern(&pool, strbuf_slice(&text));
			assert_string_equal(copy, text.s);
			if (round)
				again += copy == copies[i];
			copies[i] = copy;
		}
	/* A crowded place may make a few be copied twice, nothing else. */
	assert_true(again >= n - n / 1000);
}

static void copies_outlive_the_pool(void **state)
{
	_cleanup_(arena_done) struct arena arena = ARENA_INIT;
	struct intern pool = INTERN_INIT(&arena);
	const char *copy = intern(&pool, SLICE_LIT("kept"));

	(void)state;
	intern_done(&pool);
	assert_string_equal(copy, "kept");
	assert_string_equal(intern(&pool, SLICE_LIT("usable again")), "usable again");
	intern_done(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_texts_are_one_copy_and_others_are_not),
		cmocka_unit_test(many_texts_are_found_again),
		cmocka_unit_test(copies_outlive_the_pool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
