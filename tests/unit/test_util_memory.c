// SPDX-License-Identifier: GPL-2.0-only
/* arena, vec and the allocator under them. */
#include "child.h"

#include <stdlib.h>

#include "util/arena.h"
#include "util/vec.h"

static void arena_memory_is_zeroed_aligned_and_separate(void **state)
{
	struct arena arena = ARENA_INIT;
	char *last = NULL;

	(void)state;
	for (size_t size = 0; size < 300; size++) {
		char *p = arena_alloc(&arena, size);

		assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xff, size);
		if (last && size > 1)
			assert_ptr_not_equal(p, last);
		last = p;
	}
	arena_done(&arena);
}

static void an_arena_takes_a_block_larger_than_its_steps(void **state)
{
	struct arena arena = ARENA_INIT;
	char *big = arena_alloc(&arena, 3u << 20);
	char *small = arena_alloc(&arena, 8);

	(void)state;
	big[(3u << 20) - 1] = 1;
	small[7] = 1;
	arena_done(&arena);
	assert_null(arena.blocks);
}

static void an_arena_copies_bytes_and_terminates_them(void **state)
{
	struct arena arena = ARENA_INIT;
	char *copy = arena_strdup(&arena, (struct slice){ "a\0bc", 3 });

	(void)state;
	assert_memory_equal(copy, "a\0b\0", 4);
	assert_string_equal(arena_strdup(&arena, (struct slice){ NULL, 0 }), "");
	arena_done(&arena);
	arena_done(NULL);
}

static void an_arena_takes_over_what_another_owns(void **state)
{
	struct arena one = ARENA_INIT, two = ARENA_INIT, none = ARENA_INIT;
	char *a = arena_strdup(&one, SLICE_LIT("a")), *b;
	char *big = arena_alloc(&two, 1u << 20);

	(void)state;
	b = arena_strdup(&two, SLICE_LIT("b"));
	arena_absorb(&one, &two);
	arena_absorb(&one, &none);
	assert_null(two.blocks);
	assert_string_equal(arena_strdup(&one, SLICE_LIT("c")), "c");
	assert_string_equal(a, "a");
	assert_string_equal(b, "b");
	big[(1u << 20) - 1] = 1;
	arena_absorb(&two, &one);
	assert_string_equal(arena_strdup(&two, SLICE_LIT("d")), "d");
	assert_string_equal(b, "b");
	arena_done(&one);
	arena_done(&two);
}

static void a_vec_keeps_order_while_it_grows(void **state)
{
	VEC(unsigned) numbers = {};

	(void)state;
	for (unsigned i = 0; i < 1000; i++)
		vec_push(&numbers, i * i);
	assert_int_equal(numbers.n, 1000);
	for (unsigned i = 0; i < 1000; i++)
		assert_int_equal(numbers.v[i], i * i);
	vec_done(&numbers);
	assert_null(numbers.v);
	assert_int_equal(numbers.n, 0);
}

static void overflow_a_vec(const void *arg)
{
	/* volatile: the compiler would see the overflow before it happens */
	volatile size_t more = SIZE_MAX / 2;
	VEC(uint64_t) numbers = {};

	(void)arg;
	vec_reserve(&numbers, more);
}

static void overflow_an_arena(const void *arg)
{
	struct arena arena = ARENA_INIT;

	(void)arg;
	arena_alloc_array(&arena, SIZE_MAX / 2, 16);
}

static void overflow_an_arena_by_one(const void *arg)
{
	struct arena arena = ARENA_INIT;

	(void)arg;
	arena_alloc(&arena, SIZE_MAX);
}

static void sizes_that_cannot_be_had_end_the_program(void **state)
{
	(void)state;
	assert_int_equal(child_status(overflow_a_vec, NULL), 3);
	assert_int_equal(child_status(overflow_an_arena, NULL), 3);
	assert_int_equal(child_status(overflow_an_arena_by_one, NULL), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arena_memory_is_zeroed_aligned_and_separate),
		cmocka_unit_test(an_arena_takes_a_block_larger_than_its_steps),
		cmocka_unit_test(an_arena_copies_bytes_and_terminates_them),
		cmocka_unit_test(an_arena_takes_over_what_another_owns),
		cmocka_unit_test(a_vec_keeps_order_while_it_grows),
		cmocka_unit_test(sizes_that_cannot_be_had_end_the_program),
	};

	return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
