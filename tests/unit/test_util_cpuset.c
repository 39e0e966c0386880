// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"

#include <errno.h>

#include "util/cleanup.h"
#include "util/cpuset.h"

static void lists_parse_to_the_shortest_form(void **state)
{
	static const struct {
		const char *text;
		int r;
		const char *formatted;
		size_t count;
	} rows[] = {
		{ "0-3,5,4\n", 0, "0-5", 6 },
		{ "0-3,8", 0, "0-3,8", 5 },
		{ "", 0, "", 0 },
		{ " \n", 0, "", 0 },
		{ ",1,,", 0, "1", 1 },
		{ " 1 - 2 , 4", 0, "1-2,4", 3 },
		{ "63-64", 0, "63-64", 2 },
		{ "262143", 0, "262143", 1 },
		{ "0-65535", 0, "0-65535", 65536 },
		{ "5-3", -EINVAL, NULL, 0 },
		{ "0-65536", -EINVAL, NULL, 0 },
		{ "0-70000", -EINVAL, NULL, 0 },
		{ "262144", -ERANGE, NULL, 0 },
		{ "1-", -EINVAL, NULL, 0 },
		{ "-1", -EINVAL, NULL, 0 },
		{ "1-2-3", -EINVAL, NULL, 0 },
		{ "0-3,x", -EINVAL, NULL, 0 },
		{ "0-8:2/4", -EINVAL, NULL, 0 },
		{ "99999999999999999999", -ERANGE, NULL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(cpuset_done) struct cpuset set = CPUSET_INIT;
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
		int r = cpuset_parse(slice_of(rows[i].text), &set);

		if (r != rows[i].r)
			fail_msg("'%s': got %d", rows[i].text, r);
		if (r < 0)
			continue;
		cpuset_format(&set, &text);
		assert_string_equal(text.s, rows[i].formatted);
		assert_int_equal(cpuset_count(&set), rows[i].count);
	}
}

static struct cpuset set_of(const char *list)
{
	struct cpuset set;

	assert_int_equal(cpuset_parse(slice_of(list), &set), 0);
	return set;
}

static void sets_combine(void **state)
{
	static const struct {
		const char *a, *b;
		const char * or, *and, *andnot;
		bool a_in_b;
	} rows[] = {
		{ "0-3", "2-5", "0-5", "2-3", "0-1", false },
		{ "1", "0-127", "0-127", "1", "", true },
		{ "0-127", "1", "0-127", "1", "0,2-127", false },
		{ "", "7", "7", "", "", true },
		{ "200", "3", "3,200", "", "200", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(cpuset_done) struct cpuset a = set_of(rows[i].a), b = set_of(rows[i].b);
		const struct {
			void (*op)(struct cpuset *, const struct cpuset *);
			const char *want;
		} ops[] = { { cpuset_or, rows[i].or },
			    { cpuset_and, rows[i].and },
			    { cpuset_andnot, rows[i].andnot } };

		for (size_t j = 0; j < ARRAY_SIZE(ops); j++) {
			_cleanup_(cpuset_done) struct cpuset got;
			_cleanup_(cpuset_done) struct cpuset want = set_of(ops[j].want);

			cpuset_copy(&a, &got);
			ops[j].op(&got, &b);
			assert_true(cpuset_equal(&got, &want));
		}
		assert_true(cpuset_subset(&a, &b) == rows[i].a_in_b);
	}
}

static void single_ids_come_and_go(void **state)
{
	_cleanup_(cpuset_done) struct cpuset set = CPUSET_INIT;
	int seen = 0;

	(void)state;
	assert_true(cpuset_is_empty(&set));
	cpuset_add(&set, 64);
	cpuset_add(&set, CPUSET_MAX - 1);
	assert_true(cpuset_has(&set, 64));
	assert_false(cpuset_has(&set, 63));
	cpuset_for_each (&set, cpu)
		seen += cpu == 64 || cpu == (int)CPUSET_MAX - 1 ? 1 : 100;
	assert_int_equal(seen, 2);
	cpuset_remove(&set, 64);
	cpuset_remove(&set, CPUSET_MAX - 1);
	cpuset_remove(&set, 9999);
	assert_true(cpuset_is_empty(&set));
	assert_int_equal(cpuset_next(&set, CPUSET_MAX), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_parse_to_the_shortest_form),
		cmocka_unit_test(sets_combine),
		cmocka_unit_test(single_ids_come_and_go),
	};

	return cmocka_run_group_tests_name("cpuset", tests, NULL, NULL);
}
