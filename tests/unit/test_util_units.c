// SPDX-License-Identifier: GPL-2.0-only
/* The numbers of ctprof's specification, section 8 and its worked examples. */
#include "unit.h"

#include <string.h>

#include "util/compiler.h"
#include "util/units.h"

#define EXPECT(call, want)                                                                         \
	do {                                                                                       \
		struct strbuf out = STRBUF_INIT;                                                   \
		call;                                                                              \
		if (strcmp(out.s, want) != 0)                                                      \
			fail_msg("%s: got '%s', want '%s'", #call, out.s, want);                   \
		strbuf_done(&out);                                                                 \
	} while (0)

static void totals_step_up_at_their_thresholds(void **state)
{
	static const struct {
		enum ladder ladder;
		uint64_t v;
		const char *want;
	} rows[] = {
		{ LADDER_NS, 0, "0ns" },
		{ LADDER_NS, 50, "50ns" },
		{ LADDER_NS, 999, "999ns" },
		{ LADDER_NS, 1000, "1.000µs" },
		{ LADDER_NS, 1234567, "1.235ms" },
		{ LADDER_NS, 999999999, "1000.000ms" },
		{ LADDER_NS, 1000000000, "1.000s" },
		{ LADDER_US, 999, "999µs" },
		{ LADDER_US, 50000, "50.000ms" },
		{ LADDER_US, 1000000, "1.000s" },
		{ LADDER_BYTES, 0, "0B" },
		{ LADDER_BYTES, 1023, "1023B" },
		{ LADDER_BYTES, 1024, "1.000KiB" },
		{ LADDER_BYTES, 1048575, "1023.999KiB" },
		{ LADDER_BYTES, 8053063680, "7.500GiB" },
		{ LADDER_BYTES, UINT64_MAX, "16777216.000TiB" },
		{ LADDER_TICKS, 7, "7ticks" },
		{ LADDER_TICKS, 1500, "1.500Kticks" },
		{ LADDER_UNITLESS, 999, "999" },
		{ LADDER_UNITLESS, 2500000, "2.500M" },
		{ LADDER_UNITLESS, 7000000000, "7.000G" },
		{ LADDER_NONE, UINT64_MAX, "18446744073709551615" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		EXPECT(units_u64(&out, rows[i].ladder, rows[i].v), rows[i].want);
}

static void deltas_carry_a_sign_and_stay_exact(void **state)
{
	const __int128 huge = (__int128)UINT64_MAX;

	(void)state;
	EXPECT(units_delta(&out, LADDER_NS, 3000000), "+3.000ms");
	EXPECT(units_delta(&out, LADDER_NS, 0), "+0ns");
	EXPECT(units_delta(&out, LADDER_NS, -7), "-7ns");
	EXPECT(units_delta(&out, LADDER_BYTES, -1024), "-1.000KiB");
	EXPECT(units_delta(&out, LADDER_NONE, huge), "+18446744073709551615");
	EXPECT(units_delta(&out, LADDER_NONE, -huge), "-18446744073709551615");
	EXPECT(units_delta_real(&out, LADDER_NONE, 2.5), "+2.500");
	EXPECT(units_delta_real(&out, LADDER_NONE, 4), "+4");
	EXPECT(units_delta_real(&out, LADDER_NONE, -4), "-4");
	EXPECT(units_delta_real(&out, LADDER_NS, 2500000.5), "+2.500ms");
}

static void computed_quantities_have_decimals(void **state)
{
	(void)state;
	EXPECT(units_derived(&out, LADDER_NS, 123.4), "123.40ns");
	EXPECT(units_derived(&out, LADDER_NS, 50), "50.00ns");
	EXPECT(units_derived(&out, LADDER_NS, 2500000), "2.500ms");
	EXPECT(units_derived(&out, LADDER_BYTES, -2048), "-2.000KiB");
	EXPECT(units_derived_delta(&out, LADDER_NS, -5), "-5.00ns");
	EXPECT(units_derived_delta(&out, LADDER_NS, 1500), "+1.500µs");
	EXPECT(units_ratio(&out, 0.75), "0.750");
	EXPECT(units_ratio_delta(&out, 0.125), "+0.125");
	EXPECT(units_percent(&out, 0.6), "+60.0%");
	EXPECT(units_percent(&out, -0.125), "-12.5%");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_step_up_at_their_thresholds),
		cmocka_unit_test(deltas_carry_a_sign_and_stay_exact),
		cmocka_unit_test(computed_quantities_have_decimals),
	};

	return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
