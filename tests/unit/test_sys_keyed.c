// SPDX-License-Identifier: GPL-2.0-only
#include "sys/keyed.h"

#include "cut.h"
#include "unit.h"
#include "util/compiler.h"

/* Of memory.stat and smaps_rollup, as recorded. */
static const char stat_text[] = "anon 1048576\nfile 4096\nkernel 8192\npgfault 77\nanon_thp 0\n";
static const char rollup_text[] = "55a5e0a3b000-7ffd3a9f1000 ---p 00000000 00:00 0"
				  "                          [rollup]\n"
				  "Rss:                1720 kB\n"
				  "Pss:                 103 kB\n"
				  "Pss_Dirty:            88 kB\n"
				  "SwapPss:               0 kB\n"
				  "Locked:                0 kB\n";

static void assert_rows(const struct keyed *keyed, const struct keyed_row *rows, size_t n)
{
	assert_int_equal(keyed->n, n);
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(keyed->rows[i].name, rows[i].name);
		assert_true(keyed->rows[i].v == rows[i].v);
	}
}

static void rows_are_ascending_by_name(void **state)
{
	static const struct keyed_row rows[] = {
		{ "anon", 1048576 }, { "anon_thp", 0 }, { "file", 4096 },
		{ "kernel", 8192 },  { "pgfault", 77 },
	};
	static const struct keyed_row kb[] = {
		{ "Locked", 0 }, { "Pss", 103 },   { "Pss_Dirty", 88 },
		{ "Rss", 1720 }, { "SwapPss", 0 },
	};
	struct arena arena = ARENA_INIT;
	struct keyed keyed;

	(void)state;
	keyed = keyed_parse(slice_of(stat_text), NULL, &arena);
	assert_rows(&keyed, rows, ARRAY_SIZE(rows));
	keyed = keyed_parse_kb(slice_of(rollup_text), NULL, &arena);
	assert_rows(&keyed, kb, ARRAY_SIZE(kb));
	arena_done(&arena);
}

static void lines_of_another_form_are_passed_over(void **state)
{
	static const struct {
		const char *label;
		struct slice text;
		bool kb, found; /* the row "a", 1 */
	} rows[] = {
		{ "a pair", SLICE_LIT("a 1\n"), false, true },
		{ "more blanks", SLICE_LIT("  a \t 1 \n"), false, true },
		{ "among others", SLICE_LIT("\n\nb\na 1\nc x\n"), false, true },
		{ "twice", SLICE_LIT("a 1\na 2\n"), false, true },
		{ "twice, first malformed", SLICE_LIT("a x\na 1\n"), false, true },
		{ "three words", SLICE_LIT("a 1 2\n"), false, false },
		{ "one word", SLICE_LIT("a\n"), false, false },
		{ "negative", SLICE_LIT("a -1\n"), false, false },
		{ "too large", SLICE_LIT("a 18446744073709551616\n"), false, false },
		{ "max", SLICE_LIT("a max\n"), false, false },
		{ "a colon", SLICE_LIT("a: x\n"), false, false },
		{ "a NUL byte in the name", SLICE_LIT("a\0b 1\n"), false, false },
		{ "a NUL byte in the value", SLICE_LIT("a 1\0\n"), false, false },
		{ "cut", SLICE_LIT("a 1"), false, false },
		{ "empty", SLICE_LIT(""), false, false },
		{ "nothing", { NULL, 0 }, false, false },
		{ "kB", SLICE_LIT("a:   1 kB\n"), true, true },
		{ "kB, no unit", SLICE_LIT("a:1\n"), true, true },
		{ "kB, blanks around the name", SLICE_LIT(" a : 1 kB\n"), true, true },
		{ "kB, twice", SLICE_LIT("a: 1 kB\na: 2 kB\n"), true, true },
		{ "kB, an address range", SLICE_LIT("a-b: 1 kB\n"), true, false },
		{ "kB, a blank in the name", SLICE_LIT("a b: 1 kB\n"), true, false },
		{ "kB, no name", SLICE_LIT(": 1 kB\n"), true, false },
		{ "kB, no colon", SLICE_LIT("a 1 kB\n"), true, false },
		{ "kB, flags", SLICE_LIT("a: rd ex\n"), true, false },
		{ "kB, no value", SLICE_LIT("a:\n"), true, false },
		{ "kB, a unit sticks to it", SLICE_LIT("a: 1kB\n"), true, false },
		{ "kB, a NUL byte in the name", SLICE_LIT("a\0: 1 kB\n"), true, false },
		{ "kB, cut", SLICE_LIT("a: 1 kB"), true, false },
		{ "kB, nothing", { NULL, 0 }, true, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct slice exact = cut_at(rows[i].text, rows[i].text.n);
		struct arena arena = ARENA_INIT;
		struct keyed keyed;

		print_message("# %s\n", rows[i].label);
		keyed = rows[i].kb ? keyed_parse_kb(exact, NULL, &arena)
				   : keyed_parse(exact, NULL, &arena);
		assert_rows(&keyed, &(struct keyed_row){ "a", 1 }, rows[i].found);
		cut_done(exact);
		arena_done(&arena);
	}
}

static void names_are_shared_with_a_like_one(void **state)
{
	struct arena arena = ARENA_INIT;
	struct keyed first, second, third;

	(void)state;
	first = keyed_parse(SLICE_LIT("b 1\nd 2\nf 3\n"), NULL, &arena);
	second = keyed_parse(SLICE_LIT("f 1\ne 2\nd 3\nc 4\nb 5\na 6\ng 7\n"), &first, &arena);
	assert_rows(&second,
		    (const struct keyed_row[]){ { "a", 6 },
						{ "b", 5 },
						{ "c", 4 },
						{ "d", 3 },
						{ "e", 2 },
						{ "f", 1 },
						{ "g", 7 } },
		    7);
	assert_ptr_equal(second.rows[1].name, first.rows[0].name);
	assert_ptr_equal(second.rows[3].name, first.rows[1].name);
	assert_ptr_equal(second.rows[5].name, first.rows[2].name);
	third = keyed_parse_kb(SLICE_LIT("g: 1 kB\ncc: 1 kB\na: 2 kB\n"), &second, &arena);
	assert_rows(&third, (const struct keyed_row[]){ { "a", 2 }, { "cc", 1 }, { "g", 1 } }, 3);
	assert_ptr_equal(third.rows[0].name, second.rows[0].name);
	assert_ptr_equal(third.rows[2].name, second.rows[6].name);
	third = keyed_parse(SLICE_LIT("a 1\n"), &(struct keyed){}, &arena);
	assert_int_equal(third.n, 1);
	arena_done(&arena);
}

static void a_number_is_found_by_its_name(void **state)
{
	struct arena arena = ARENA_INIT;
	struct keyed keyed = keyed_parse(slice_of(stat_text), NULL, &arena);
	uint64_t v = 5;

	(void)state;
	assert_int_equal(keyed_get(&keyed, "pgfault", &v), 1);
	assert_int_equal(v, 77);
	assert_int_equal(keyed_get(&keyed, "anon_thp", &v), 1);
	assert_int_equal(v, 0);
	v = 5;
	assert_int_equal(keyed_get(&keyed, "anon_", &v), 0);
	assert_int_equal(keyed_get(&keyed, "", &v), 0);
	assert_int_equal(keyed_get(&(struct keyed){}, "anon", &v), 0);
	assert_int_equal(v, 5);
	arena_done(&arena);
}

static void a_file_that_was_cut_invents_nothing(void **state)
{
	struct arena arena = ARENA_INIT;
	struct keyed whole = keyed_parse(slice_of(stat_text), NULL, &arena);
	struct keyed whole_kb = keyed_parse_kb(slice_of(rollup_text), NULL, &arena);

	(void)state;
	for (size_t n = 0; n < strlen(stat_text) + strlen(rollup_text); n++) {
		bool kb = n >= strlen(stat_text);
		struct slice cut = kb ? cut_at(slice_of(rollup_text), n - strlen(stat_text))
				      : cut_at(slice_of(stat_text), n);
		struct keyed keyed =
			kb ? keyed_parse_kb(cut, NULL, &arena) : keyed_parse(cut, NULL, &arena);

		for (size_t i = 0; i < keyed.n; i++) {
			uint64_t v;

			assert_int_equal(keyed_get(kb ? &whole_kb : &whole, keyed.rows[i].name, &v),
					 1);
			assert_int_equal(v, keyed.rows[i].v);
		}
		cut_done(cut);
	}
	arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_ascending_by_name),
		cmocka_unit_test(lines_of_another_form_are_passed_over),
		cmocka_unit_test(names_are_shared_with_a_like_one),
		cmocka_unit_test(a_number_is_found_by_its_name),
		cmocka_unit_test(a_file_that_was_cut_invents_nothing),
	};

	return cmocka_run_group_tests_name("keyed", tests, NULL, NULL);
}
