// SPDX-License-Identifier: GPL-2.0-only
/* What the files of a cgroup say, apart from reading them. */
#include <errno.h>

#include "sys/cgroup_stats.h"
#include "unit.h"

static void the_words_of_cpu_max_stand_for_themselves(void **state)
{
	static const struct {
		const char *text;
		bool unlimited;
		enum absence no_quota, no_period;
		uint64_t quota, period;
	} rows[] = {
		/* Those of the specification, null being unlimited or absent. */
		{ "50000 100000", false, ABSENCE_NONE, ABSENCE_NONE, 50000, 100000 },
		{ "max 100000", true, ABSENCE_NONE, ABSENCE_NONE, 0, 100000 },
		{ "50000", false, ABSENCE_NONE, ABSENCE_ERROR, 50000, 100000 },
		{ "", false, ABSENCE_ERROR, ABSENCE_ERROR, 0, 100000 },
		{ "50000 garbage", false, ABSENCE_NONE, ABSENCE_ERROR, 50000, 100000 },
		/* Ours. */
		{ "50000 200000\n", false, ABSENCE_NONE, ABSENCE_NONE, 50000, 200000 },
		{ "garbage 200000\n", false, ABSENCE_ERROR, ABSENCE_NONE, 0, 200000 },
		{ "-1 200000\n", false, ABSENCE_ERROR, ABSENCE_NONE, 0, 200000 },
		{ "max max\n", true, ABSENCE_NONE, ABSENCE_ERROR, 0, 100000 },
		{ "maximum 1\n", false, ABSENCE_ERROR, ABSENCE_NONE, 0, 1 },
		{ "max 1 2\n", true, ABSENCE_NONE, ABSENCE_NONE, 0, 1 },
		{ "18446744073709551616 18446744073709551615\n", false, ABSENCE_ERROR, ABSENCE_NONE,
		  0, UINT64_MAX },
		{ "\n", false, ABSENCE_ERROR, ABSENCE_ERROR, 0, 100000 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct cgroup_number quota, period;

		print_message("# row %zu\n", i);
		cgroup_parse_cpu_max(slice_of(rows[i].text), &quota, &period);
		assert_int_equal(quota.unlimited, rows[i].unlimited);
		assert_int_equal(quota.absent, rows[i].no_quota);
		assert_true(quota.v == rows[i].quota);
		assert_int_equal(period.absent, rows[i].no_period);
		assert_false(period.unlimited);
		assert_true(period.v == rows[i].period);
	}
}

static void max_means_none_for_a_limit_and_all_for_a_floor(void **state)
{
	static const struct {
		struct slice text;
		bool count, limit, unlimited;
		uint64_t v, floor;
	} rows[] = {
		{ SLICE_LIT("0\n"), true, true, false, 0, 0 },
		{ SLICE_LIT("5368709120\n"), true, true, false, 5368709120, 5368709120 },
		{ SLICE_LIT("18446744073709551615"), true, true, false, UINT64_MAX, UINT64_MAX },
		{ SLICE_LIT("max\n"), false, true, true, 0, UINT64_MAX },
		{ SLICE_LIT("Max\n"), false, false, false, 0, 0 },
		{ SLICE_LIT("max max\n"), false, false, false, 0, 0 },
		{ SLICE_LIT("1 2\n"), false, false, false, 0, 0 },
		{ SLICE_LIT("-1\n"), false, false, false, 0, 0 },
		{ SLICE_LIT("max\0\n"), false, false, false, 0, 0 },
		{ SLICE_LIT("\n"), false, false, false, 0, 0 },
		{ SLICE_LIT(""), false, false, false, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		enum absence no_count = rows[i].count ? ABSENCE_NONE : ABSENCE_ERROR;
		enum absence no_limit = rows[i].limit ? ABSENCE_NONE : ABSENCE_ERROR;
		struct cgroup_number n;

		print_message("# row %zu\n", i);
		cgroup_parse_count(rows[i].text, &n);
		assert_int_equal(n.absent, no_count);
		assert_false(n.unlimited);
		assert_true(n.v == rows[i].v);
		cgroup_parse_limit(rows[i].text, &n);
		assert_int_equal(n.absent, no_limit);
		assert_int_equal(n.unlimited, rows[i].unlimited);
		assert_true(n.v == rows[i].v);
		cgroup_parse_floor(rows[i].text, &n);
		assert_int_equal(n.absent, no_limit);
		assert_false(n.unlimited);
		assert_true(n.v == rows[i].floor);
	}
}

static void a_key_is_missing_or_malformed_or_there(void **state)
{
	static const struct {
		const char *text;
		int r;
	} rows[] = {
		{ "k 5\n", 1 },
		{ "j 1\nk  5 \nk 6\n", 1 },
		{ "", 0 },
		{ "kk 5\n", 0 },
		{ "j k 5\n", 0 },
		{ "j 5", 0 },
		{ "k\n", -EBADMSG },
		{ "k x\nk 5\n", -EBADMSG },
		{ "k 5 6\n", -EBADMSG },
		{ "k -5\n", -EBADMSG },
		{ "j 1\nk 5", -EBADMSG },
		{ "k 18446744073709551616\n", -EBADMSG },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t v = 7;

		print_message("# row %zu\n", i);
		assert_int_equal(cgroup_parse_key(slice_of(rows[i].text), "k", &v), rows[i].r);
		if (rows[i].r > 0)
			assert_int_equal(v, 5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_words_of_cpu_max_stand_for_themselves),
		cmocka_unit_test(max_means_none_for_a_limit_and_all_for_a_floor),
		cmocka_unit_test(a_key_is_missing_or_malformed_or_there),
	};

	return cmocka_run_group_tests_name("cgroup_parse", tests, NULL, NULL);
}
