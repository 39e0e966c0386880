// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"

#include <string.h>

#include "ctprof/registry.h"
#include "util/compiler.h"

static const struct {
	const char *name;
	bool is_field;
} members[] = {
#define IDENTITY(type, name, reading) { #name, false },
#define FIELD(kind, name, reading)    { #name, true },
#include "ctprof/thread.def"
#undef IDENTITY
#undef FIELD
};

static void every_list_has_its_length(void **state)
{
	int in_primary = 0, in_taskstats = 0, in_derived = 0;

	(void)state;
	assert_int_equal(ARRAY_SIZE(members), 93);
	assert_int_equal(METRIC_COUNT, 87);
	assert_int_equal(DERIVED_COUNT, 17);
	assert_int_equal(SECTION_COUNT, 11);
	assert_int_equal(PAIR_COUNT, 14);
	for (int i = 0; i < METRIC_COUNT; i++) {
		in_primary += metrics[i].section == SECTION_PRIMARY;
		in_taskstats += metrics[i].section == SECTION_TASKSTATS_DELAY;
	}
	assert_int_equal(in_primary, 53);
	assert_int_equal(in_taskstats, 34);
	for (int i = 0; i < DERIVED_COUNT; i++)
		in_derived += derived_metrics[i].section == SECTION_DERIVED;
	assert_int_equal(in_derived, 8);
}

static bool is_metric(const char *name)
{
	for (int i = 0; i < METRIC_COUNT; i++)
		if (strcmp(metrics[i].name, name) == 0)
			return true;
	return false;
}

static void every_field_of_a_thread_is_a_metric_and_no_identity_is(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (is_metric(members[i].name) != members[i].is_field)
			fail_msg("%s", members[i].name);
}

static bool ends_in(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n >= m && strcmp(name + n - m, end) == 0;
}

/* What the compiler cannot see: a row that lies about its kind. */
static void names_agree_with_kinds(void **state)
{
	static const struct {
		const char *end;
		enum metric_kind kind;
	} rows[] = {
		{ "_max", KIND_PEAK_NS },
		{ "_max_ns", KIND_PEAK_NS },
		{ "_min_ns", KIND_PEAK_NS },
		{ "_sum", KIND_NS },
		{ "_total_ns", KIND_NS },
		{ "_clock_ticks", KIND_TICKS },
		{ "_count", KIND_COUNT },
		{ "_delay_count", KIND_COUNT },
		{ "hiwater_rss_bytes", KIND_PEAK_BYTES },
		{ "hiwater_vm_bytes", KIND_PEAK_BYTES },
	};

	(void)state;
	for (int i = 0; i < METRIC_COUNT; i++)
		for (size_t j = 0; j < ARRAY_SIZE(rows); j++)
			if (ends_in(metrics[i].name, rows[j].end) &&
			    metrics[i].kind != rows[j].kind)
				fail_msg("%s", metrics[i].name);
}

static void every_metric_says_what_it_is(void **state)
{
	(void)state;
	for (int i = 0; i < METRIC_COUNT; i++) {
		const struct metric *m = &metrics[i];

		assert_true(strlen(m->description) > 5 && !ends_in(m->description, "."));
		assert_true(strlen(m->kernel_source) > 5);
		for (int j = 0; j < i; j++)
			if (strcmp(m->description, metrics[j].description) == 0)
				fail_msg("%s and %s say the same", m->name, metrics[j].name);
	}
	for (int i = 0; i < DERIVED_COUNT; i++)
		assert_false(is_metric(derived_metrics[i].name));
}

static void pairs_and_families_have_names(void **state)
{
	(void)state;
	assert_string_equal(pair_name(metrics[METRIC_wait_max].pair), "MaxPeak");
	assert_string_equal(pair_name(metrics[METRIC_cpu_affinity].pair), "Affinity");
	assert_int_equal(kind_family(metrics[METRIC_state].kind), FAMILY_GAUGE);
	assert_int_equal(kind_family(metrics[METRIC_policy].kind), FAMILY_CATEGORICAL);
	assert_int_equal(kind_family(metrics[METRIC_hiwater_rss_bytes].kind), FAMILY_EXTREMUM);
	assert_int_equal(kind_ladder(metrics[METRIC_minflt].kind), LADDER_UNITLESS);
	assert_string_equal(family_name(FAMILY_COUNTER), "counter");
	assert_string_equal(reading_source(metrics[METRIC_rchar].reading), "/proc/TID/io");
	assert_string_equal(reading_source(metrics[METRIC_thread_count].reading), "");
	assert_string_equal(derived_unit_name(derived_metrics[DERIVED_live_heap_estimate].unit),
			    "B");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_list_has_its_length),
		cmocka_unit_test(every_field_of_a_thread_is_a_metric_and_no_identity_is),
		cmocka_unit_test(names_agree_with_kinds),
		cmocka_unit_test(every_metric_says_what_it_is),
		cmocka_unit_test(pairs_and_families_have_names),
	};

	return cmocka_run_group_tests_name("registry", tests, NULL, NULL);
}
