// SPDX-License-Identifier: GPL-2.0-only
#include "util/gunzip.h"

#include <errno.h>
#include <stdlib.h>

#include "unit.h"
#include "util/inflate.h"

#define HEAD(flags) "\x1f\x8b\x08" flags "\0\0\0\0\x02\xff"
#define STORED                                                                                     \
	HEAD("\0")                                                                                 \
	"\x01\x06\x00\xf9\xff"                                                                     \
	"stored"                                                                                   \
	"\x0b\xf9\x43\x56\x06\0\0\0"
#define EMPTY HEAD("\0") "\x03\0\0\0\0\0\0\0\0\0"
#define FIXED                                                                                      \
	HEAD("\0")                                                                                 \
	"\x4b\xcb\xac\x48\x4d\x51\x48\x43\x90\x00\x81\xe6\x89\x88\x11\0\0\0"
#define DYNAMIC                                                                                    \
	HEAD("\0")                                                                                 \
	"\x0d\xc8\xb1\x11\x00\x30\x08\x03\xb1\x59\xdf\xce\x19\x2e\x64\xff\x3a\x94\x12\xb2\xb0\xe2" \
	"\x4c\x17\x0b\xbb\x94\xa6\x03\xde\xdf\xb9\x73\x1e\x1f\x3b\x7b\xc2\xea\x28\0\0\0"
#define OPTIONAL                                                                                   \
	HEAD("\x1e")                                                                               \
	"\x03\0"                                                                                   \
	"abc"                                                                                      \
	"name\0"                                                                                   \
	"comment\0"                                                                                \
	"\xf4\x6e"                                                                                 \
	"\xcb\x48\x4d\x4c\x01\x00\x9c\xf6\xf3\xa7\x04\0\0\0"

struct gz_case {
	const char *label;
	struct slice gz;
	int outcome;
	size_t length;
};

static void check(const struct gz_case *c)
{
	struct strbuf out = STRBUF_INIT;

	print_message("# %s\n", c->label);
	strbuf_addstr(&out, "what was there");
	assert_int_equal(gunzip(c->gz, 64, &out), c->outcome);
	assert_int_equal(out.len, c->length);
	strbuf_done(&out);
}

static void whole_files_are_read(void **state)
{
	static const struct gz_case cases[] = {
		{ "stored block", SLICE_LIT(STORED), 0, 6 },
		{ "fixed codes", SLICE_LIT(FIXED), 0, 17 },
		{ "dynamic codes", SLICE_LIT(DYNAMIC), 0, 40 },
		{ "no content", SLICE_LIT(EMPTY), 0, 0 },
		{ "every optional header field", SLICE_LIT(OPTIONAL), 0, 4 },
		{ "two members", SLICE_LIT(FIXED STORED), 0, 23 },
		{ "zeros behind the end", SLICE_LIT(STORED "\0\0\0"), 0, 6 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check(&cases[i]);
}

static void damaged_files_are_refused(void **state)
{
	static const struct gz_case cases[] = {
		{ "empty", SLICE_LIT(""), -EBADMSG, 0 },
		{ "not gzip", SLICE_LIT("CONFIG_PSI=y and more"), -EBADMSG, 0 },
		{ "unknown method", SLICE_LIT("\x1f\x8b\x07\0\0\0\0\0\0\0\x03\0"), -EBADMSG, 0 },
		{ "reserved flag", SLICE_LIT(HEAD("\x20") "\x03\0\0\0\0\0\0\0\0\0"), -EBADMSG, 0 },
		{ "extra field past the end",
		  SLICE_LIT(HEAD("\x04") "\xff\xff"
					 "ab"),
		  -EBADMSG, 0 },
		{ "name without end", SLICE_LIT(HEAD("\x08") "name"), -EBADMSG, 0 },
		{ "wrong header checksum",
		  SLICE_LIT(HEAD("\x02") "\0\0"
					 "\x03\0\0\0\0\0\0\0\0\0"),
		  -EBADMSG, 0 },
		{ "reserved block type", SLICE_LIT(HEAD("\0") "\x07\0\0\0\0\0\0\0\0"), -EBADMSG,
		  0 },
		{ "stored length without its complement",
		  SLICE_LIT(HEAD("\0") "\x01\x06\0\xf9\xfe"
				       "stored"
				       "\x0b\xf9\x43\x56\x06\0\0\0"),
		  -EBADMSG, 0 },
		{ "stored block past the end",
		  SLICE_LIT(HEAD("\0") "\x01\xff\xff\0\0"
				       "stored"),
		  -EBADMSG, 0 },
		{ "wrong checksum",
		  SLICE_LIT(HEAD("\0") "\x01\x06\x00\xf9\xff"
				       "stored"
				       "\x0c\xf9\x43\x56\x06\0\0\0"),
		  -EBADMSG, 0 },
		{ "wrong length",
		  SLICE_LIT(HEAD("\0") "\x01\x06\x00\xf9\xff"
				       "stored"
				       "\x0b\xf9\x43\x56\x07\0\0\0"),
		  -EBADMSG, 0 },
		{ "distance before the start", SLICE_LIT(HEAD("\0") "\x03\x02\0\0\0\0\0\0\0\0\0"),
		  -EBADMSG, 0 },
		{ "distance into the previous member",
		  SLICE_LIT(STORED HEAD("\0") "\x03\x02\0\0\0\0\0\0\0\0\0"), -EBADMSG, 0 },
		{ "rubbish behind the end", SLICE_LIT(STORED "x"), -EBADMSG, 0 },
		{ "too many codes", SLICE_LIT(HEAD("\0") "\xfd\xff\xff\xff\xff\xff\xff\xff\xff"),
		  -EBADMSG, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check(&cases[i]);
}

static void every_cut_file_is_refused(void **state)
{
	static const struct slice whole[] = { SLICE_LIT(STORED), SLICE_LIT(FIXED),
					      SLICE_LIT(DYNAMIC), SLICE_LIT(OPTIONAL) };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(whole); i++) {
		for (size_t n = 0; n < whole[i].n; n++) {
			struct strbuf out = STRBUF_INIT;
			/* A block of exactly this size lets ASan see one byte too many. */
			char *exact = malloc(n ? n : 1);

			assert_non_null(exact);
			memcpy(exact, whole[i].s, n);
			assert_int_equal(gunzip((struct slice){ exact, n }, 64, &out), -EBADMSG);
			strbuf_done(&out);
			free(exact);
		}
	}
}

static void output_is_bounded(void **state)
{
	static const struct {
		struct slice gz;
		size_t length;
	} cases[] = {
		{ SLICE_LIT(STORED), 6 },
		{ SLICE_LIT(FIXED), 17 },
		{ SLICE_LIT(DYNAMIC), 40 },
		{ SLICE_LIT(FIXED STORED), 23 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf out = STRBUF_INIT;

		assert_int_equal(gunzip(cases[i].gz, cases[i].length, &out), 0);
		for (size_t cap = 0; cap < cases[i].length; cap++)
			assert_int_equal(gunzip(cases[i].gz, cap, &out), -EFBIG);
		assert_int_equal(out.len, 0);
		strbuf_done(&out);
	}
}

static void a_stream_knows_nothing_of_what_stood_before(void **state)
{
	struct strbuf out = STRBUF_INIT;
	size_t used;

	(void)state;
	strbuf_addstr(&out, "before");
	/* Three bytes from one byte back: there is none. */
	assert_int_equal(inflate_raw(SLICE_LIT("\x03\x02\0"), 64, &out, &used), -EBADMSG);
	assert_string_equal(out.s, "before");
	assert_int_equal(inflate_raw(SLICE_LIT("\x4b\x04\0and more"), 64, &out, &used), 0);
	assert_string_equal(out.s, "beforea");
	assert_int_equal(used, 3);
	strbuf_done(&out);
}

static void distances_have_thirty_symbols(void **state)
{
	enum {
		STORED_SIZE = 40000,
	};
	static char in[5 + STORED_SIZE + 8];
	struct strbuf out = STRBUF_INIT;
	size_t used;

	(void)state;
	/* Enough behind us that 32769 back would be in reach: symbol 30, were it one. */
	memcpy(in + 1, "\x40\x9c\xbf\x63", 4);
	memcpy(in + 5 + STORED_SIZE, "\x03\x3e", 2);
	assert_int_equal(inflate_raw((struct slice){ in, sizeof(in) }, 65536, &out, &used),
			 -EBADMSG);
	assert_int_equal(out.len, STORED_SIZE);
	strbuf_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_files_are_read),
		cmocka_unit_test(damaged_files_are_refused),
		cmocka_unit_test(every_cut_file_is_refused),
		cmocka_unit_test(output_is_bounded),
		cmocka_unit_test(distances_have_thirty_symbols),
		cmocka_unit_test(a_stream_knows_nothing_of_what_stood_before),
	};

	return cmocka_run_group_tests_name("gunzip", tests, NULL, NULL);
}
