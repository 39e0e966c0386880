// SPDX-License-Identifier: GPL-2.0-only
#include "json_source.h"

#include <errno.h>

#include "util/cleanup.h"

/* The row's reader, its result as the 64 bits it has. */
#define WALK_INTEGER(suffix, type)                                                                 \
	static int walk_##suffix(struct json_reader *r, void *ret)                                 \
	{                                                                                          \
		type v = 77;                                                                       \
		int e = json_read_##suffix(r, &v);                                                 \
                                                                                                   \
		*(uint64_t *)ret = (uint64_t)v;                                                    \
		return e;                                                                          \
	}
WALK_INTEGER(u64, uint64_t)
WALK_INTEGER(i64, int64_t)
WALK_INTEGER(u32, uint32_t)
WALK_INTEGER(i32, int32_t)

static void integers_reach_both_ends_of_their_range(void **state)
{
	static const struct {
		json_walk *walk;
		const char *document;
		int e;
		uint64_t v;
		const char *text;
	} rows[] = {
		{ walk_u64, "0", 0, 0, "" },
		{ walk_u64, "-0", 0, 0, "" },
		{ walk_u64, "18446744073709551615", 0, UINT64_MAX, "" },
		{ walk_u64, "18446744073709551616", -ERANGE, 77,
		  "18446744073709551616 does not fit into 64 bits" },
		{ walk_u64, "18446744073709551620", -ERANGE, 77,
		  "18446744073709551620 does not fit into 64 bits" },
		{ walk_u64, "99999999999999999999", -ERANGE, 77,
		  "99999999999999999999 does not fit into 64 bits" },
		{ walk_u64, "100000000000000000000", -ERANGE, 77,
		  "100000000000000000000 does not fit into 64 bits" },
		{ walk_u64, "-1", -ERANGE, 77, "-1 does not fit into 64 bits" },
		{ walk_u64, "1.0", -EBADMSG, 77,
		  "expected an integer, found 1.0 with fraction or exponent" },
		{ walk_u64, "1e3", -EBADMSG, 77,
		  "expected an integer, found 1e3 with fraction or exponent" },
		{ walk_u64, "123456781234567812345678E1", -EBADMSG, 77,
		  "expected an integer, found 123456781234567812345678E1 with fraction or "
		  "exponent" },
		{ walk_u64, "007", -EBADMSG, 77, "malformed number 007" },
		{ walk_u64, "00000000000000000007", -EBADMSG, 77,
		  "malformed number 00000000000000000007" },
		{ walk_u64, "\"7\"", -EBADMSG, 77, "expected an integer, found a string" },
		{ walk_u64, "true", -EBADMSG, 77, "expected an integer, found true" },
		{ walk_u64, "null", -EBADMSG, 77, "expected an integer, found null" },
		{ walk_u64, "[1]", -EBADMSG, 77, "expected an integer, found an array" },
		{ walk_i64, "9223372036854775807", 0, INT64_MAX, "" },
		{ walk_i64, "-9223372036854775808", 0, (uint64_t)INT64_MIN, "" },
		{ walk_i64, "9223372036854775808", -ERANGE, 77,
		  "9223372036854775808 does not fit into 64 bits with sign" },
		{ walk_i64, "-9223372036854775809", -ERANGE, 77,
		  "-9223372036854775809 does not fit into 64 bits with sign" },
		{ walk_i64, "-x", -EBADMSG, 77, "malformed number -" },
		{ walk_u32, "4294967295", 0, UINT32_MAX, "" },
		{ walk_u32, "4294967296", -ERANGE, 77, "4294967296 does not fit into 32 bits" },
		{ walk_i32, "2147483647", 0, INT32_MAX, "" },
		{ walk_i32, "-2147483648", 0, (uint64_t)INT32_MIN, "" },
		{ walk_i32, "2147483648", -ERANGE, 77,
		  "2147483648 does not fit into 32 bits with sign" },
		{ walk_i32, "-2147483649", -ERANGE, 77,
		  "-2147483649 does not fit into 32 bits with sign" },
	};
	static const char *const behind[] = { "", "                          ", "\n" };
	struct err err;

	(void)state;
	/* With and without room behind the number: that decides which way it is read. */
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (size_t k = 0; k < ARRAY_SIZE(behind); k++) {
			_cleanup_(strbuf_done) struct strbuf document = STRBUF_INIT;
			uint64_t v;

			strbuf_addf(&document, "%s%s", rows[i].document, behind[k]);
			assert_int_equal(run_all_ways(strbuf_slice(&document), NULL, rows[i].walk,
						      &v, &err),
					 rows[i].e);
			assert_true(v == rows[i].v);
			assert_string_equal(
				err.text + (rows[i].e ? strlen("byte 0 (line 1, column 1): ") : 0),
				rows[i].text);
		}
}

static void integers_of_every_width_are_read(void **state)
{
	static const char digits[] = "12345678901234567890";
	uint64_t expected = 0, v;
	struct err err;

	(void)state;
	for (size_t n = 1; n <= 20; n++) {
		char document[64];

		expected = expected * 10 + (uint64_t)(digits[n - 1] - '0');
		memset(document, ' ', sizeof(document));
		memcpy(document, digits, n);
		for (size_t room = n; room <= sizeof(document); room++) {
			assert_int_equal(run_all_ways((struct slice){ document, room }, NULL,
						      walk_u64, &v, &err),
					 0);
			assert_true(v == expected);
		}
	}
}

static int walk_double(struct json_reader *r, void *ret)
{
	return json_read_double(r, ret);
}

static void doubles_are_read(void **state)
{
	static const struct {
		const char *document;
		double v;
	} rows[] = {
		{ "0", 0 },
		{ "-12", -12 },
		{ "0.1", 0.1 },
		{ "1e3", 1000 },
		{ "1E-400", 0 },
		{ "1.7976931348623157e308", 1.7976931348623157e308 },
		{ "18446744073709551616", 18446744073709551616.0 },
	};
	struct err err;
	double v;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(
			run_all_ways(slice_of(rows[i].document), NULL, walk_double, &v, &err), 0);
		assert_true(v == rows[i].v);
	}
	v = 77;
	assert_int_equal(run_all_ways(slice_of("-1e309"), NULL, walk_double, &v, &err), -ERANGE);
	assert_string_equal(err.text,
			    "byte 0 (line 1, column 1): -1e309 does not fit into a double");
	assert_int_equal(run_all_ways(slice_of("nan"), NULL, walk_double, &v, &err), -EBADMSG);
	assert_int_equal(run_all_ways(slice_of(""), NULL, walk_double, &v, &err), -EBADMSG);
	assert_true(v == 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_reach_both_ends_of_their_range),
		cmocka_unit_test(integers_of_every_width_are_read),
		cmocka_unit_test(doubles_are_read),
	};

	return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
