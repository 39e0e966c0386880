// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "cli/parse.h"
#include "util/cleanup.h"

enum format {
	FORMAT_TEXT,
	FORMAT_JSON,
};

static bool arg_quiet, arg_all, arg_left, arg_right, arg_digit;
static enum format arg_format;
static const char *arg_output;
static uint64_t arg_count;
static struct strv arg_list, arg_sources;

static const struct choice formats[] = { { "text", FORMAT_TEXT }, { "json", FORMAT_JSON }, {} };
static const struct choice sources[] = { { "stat", 0 }, { "io", 1 }, {} };

static const struct option options[] = {
	OPT_FLAG('q', "quiet", &arg_quiet, ""),
	OPT_FLAG('a', "all", &arg_all, ""),
	OPT_CHOICE('f', "format", &arg_format, "FORMAT", formats, FORMAT_TEXT, ""),
	OPT_STRING('o', "output", &arg_output, "FILE", "-", ""),
	OPT_U64('n', "count", &arg_count, "N", 2, 9, 3, ""),
	OPT_LIST('l', "list", &arg_list, "LIST", ""),
	OPT_LIST(0, "sources", &arg_sources, "LIST", "", .choices = sources),
	OPT_FLAG(0, "left", &arg_left, "", .exclusive = 1),
	OPT_FLAG(0, "right", &arg_right, "", .exclusive = 1),
	OPTIONS_END
};
static const struct option digits[] = { OPT_FLAG('1', "one", &arg_digit, ""), OPTIONS_END };

static const struct operand any[] = { { "FILE", .optional = true, .repeat = true }, {} };
static const struct operand two[] = { { "FORMAT", .choices = formats }, { "FILE" }, {} };
static const struct operand many[] = { { "FILE", .repeat = true }, {} };

static const struct command with_any = { .name = "any", .operands = any, .options = options };
static const struct command with_none = { .name = "none", .options = options };
static const struct command with_two = { .name = "two", .operands = two, .options = options };
static const struct command with_many = { .name = "many", .operands = many, .options = options };
static const struct command with_digits = { .name = "digits", .operands = any, .options = digits };

#define ARGS(...)                                                                                  \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__ __VA_OPT__(, ) NULL                                                    \
	}

/* The operands, joined by '|'; or "help"; or the message. */
static char *outcome(const struct command *command, enum parse_mode mode, const char *const *args)
{
	struct strbuf text = STRBUF_INIT;
	_cleanup_(parsed_done) struct parsed parsed = {};
	struct err err = {};
	size_t n = 0;
	int r;

	while (args[n])
		n++;
	r = parse_arguments(command, mode, n, (char **)args, &parsed, &err);
	if (r == 0)
		for (size_t i = 0; i < parsed.n; i++)
			strbuf_addf(&text, "%s%s", i ? "|" : "", parsed.operands[i]);
	else
		strbuf_addstr(&text, r > 0 ? "help" : err.text);
	assert_true(r >= 0 || r == -EINVAL);
	return strbuf_steal(&text);
}

static void parse_fine(const char *const *args)
{
	_cleanup_free_ char *text = outcome(&with_any, PARSE_ANYWHERE, args);

	assert_string_equal(text, "");
}

static void options_that_are_not_given_have_their_defaults(void **state)
{
	(void)state;
	parse_fine(ARGS("-qa", "-fjson", "-o", "x", "-n5", "-l", "a"));
	parse_fine(ARGS());
	assert_false(arg_quiet);
	assert_false(arg_all);
	assert_int_equal(arg_format, FORMAT_TEXT);
	assert_string_equal(arg_output, "-");
	assert_int_equal(arg_count, 3);
	assert_int_equal(arg_list.n, 0);
}

static void values_may_be_spelled_in_four_ways(void **state)
{
	const char *const *const rows[] = {
		ARGS("--output=x", "--format=json", "--count=7"),
		ARGS("--output", "x", "--format", "json", "--count", "7"),
		ARGS("-o", "x", "-f", "json", "-n", "7"),
		ARGS("-ox", "-fjson", "-n7"),
		ARGS("-qox", "-qf", "json", "-n7"),
		ARGS("-o", "first", "--output=second", "-ox", "-fjson", "-n7"),
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *text = outcome(&with_any, PARSE_ANYWHERE, rows[i]);

		assert_string_equal(text, "");
		assert_string_equal(arg_output, "x");
		assert_int_equal(arg_format, FORMAT_JSON);
		assert_int_equal(arg_count, 7);
	}
}

static void a_value_is_taken_as_it_is(void **state)
{
	(void)state;
	parse_fine(ARGS("-o", "--", "-q"));
	assert_string_equal(arg_output, "--");
	assert_true(arg_quiet);
	parse_fine(ARGS("--output=", "-q"));
	assert_string_equal(arg_output, "");
	parse_fine(ARGS("--output=a=b"));
	assert_string_equal(arg_output, "a=b");
	parse_fine(ARGS("-o=a"));
	assert_string_equal(arg_output, "=a");
}

static void lists_collect_words(void **state)
{
	(void)state;
	parse_fine(ARGS("-l", "a,b", "--list=c", "--sources=io,stat,io"));
	assert_int_equal(arg_list.n, 3);
	assert_string_equal(arg_list.v[0], "a");
	assert_string_equal(arg_list.v[2], "c");
	assert_int_equal(arg_sources.n, 3);
	parse_fine(ARGS());
}

static void arguments_are_told_apart(void **state)
{
	const struct {
		const struct command *command;
		enum parse_mode mode;
		const char *const *args;
		const char *want;
	} rows[] = {
		{ &with_any, PARSE_ANYWHERE, ARGS("a", "-q", "b"), "a|b" },
		{ &with_any, PARSE_ANYWHERE, ARGS("a", "--", "-q", "--", "b"), "a|-q|--|b" },
		{ &with_any, PARSE_ANYWHERE, ARGS("-", ""), "-|" },
		{ &with_any, PARSE_ANYWHERE, ARGS("-5", "-0.5", "-12"), "-5|-0.5|-12" },
		{ &with_any, PARSE_ANYWHERE, ARGS("-5x"), "unknown option in '-5x'" },
		{ &with_digits, PARSE_ANYWHERE, ARGS("-1", "-2"), "-2" },
		{ &with_digits, PARSE_ANYWHERE, ARGS("-12"), "unknown option in '-12'" },
		{ &with_any, PARSE_ANYWHERE, ARGS("-h", "--nonsense"), "help" },
		{ &with_any, PARSE_ANYWHERE, ARGS("-qh"), "help" },
		{ &with_any, PARSE_ANYWHERE, ARGS("--", "--help"), "--help" },
		{ &with_two, PARSE_ANYWHERE, ARGS("--help"), "help" },
		{ &with_any, PARSE_UNTIL_OPERAND, ARGS("-q", "a", "-x", "--", "-y"), "a|-x|--|-y" },
		{ &with_none, PARSE_UNTIL_OPERAND, ARGS("a"), "a" },
		{ &with_none, PARSE_ANYWHERE, ARGS("-q"), "" },
		{ &with_two, PARSE_ANYWHERE, ARGS("json", "x"), "json|x" },
		{ &with_many, PARSE_ANYWHERE, ARGS("a"), "a" },
		{ &with_many, PARSE_ANYWHERE, ARGS("a", "b", "c"), "a|b|c" },
		{ &with_any, PARSE_ANYWHERE, ARGS("--left", "--left"), "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *text = outcome(rows[i].command, rows[i].mode, rows[i].args);

		assert_string_equal(text, rows[i].want);
	}
}

static void mistakes_are_named(void **state)
{
	const struct {
		const struct command *command;
		const char *const *args;
		const char *want;
	} rows[] = {
		{ &with_any, ARGS("--fromat=x"),
		  "unknown option '--fromat' (did you mean '--format'?)" },
		{ &with_any, ARGS("--form"), "unknown option '--form' (did you mean '--format'?)" },
		{ &with_any, ARGS("--zebra"), "unknown option '--zebra'" },
		{ &with_any, ARGS("--="), "unknown option '--'" },
		{ &with_any, ARGS("-x"), "unknown option '-x'" },
		{ &with_any, ARGS("-qx"), "unknown option in '-qx'" },
		{ &with_any, ARGS("---"), "unknown option '---'" },
		{ &with_any, ARGS("--quiet=1"), "option '--quiet' takes no value" },
		{ &with_any, ARGS("--output"), "option '--output' needs a value: FILE" },
		{ &with_any, ARGS("-qo"), "option '-o' needs a value: FILE" },
		{ &with_any, ARGS("--format=jsn"),
		  "bad value 'jsn' for option '--format' (did you mean 'json'?)" },
		{ &with_any, ARGS("-f", "yaml"),
		  "bad value 'yaml' for option '-f' (one of text, json)" },
		{ &with_any, ARGS("-f", ""), "bad value '' for option '-f' (one of text, json)" },
		{ &with_any, ARGS("-f", "JSON"),
		  "bad value 'JSON' for option '-f' (one of text, json)" },
		{ &with_any, ARGS("-n", "1"),
		  "bad value '1' for option '-n' (a number from 2 to 9)" },
		{ &with_any, ARGS("-n1", "-n7"),
		  "bad value '1' for option '-n' (a number from 2 to 9)" },
		{ &with_any, ARGS("-n", "10"),
		  "bad value '10' for option '-n' (a number from 2 to 9)" },
		{ &with_any, ARGS("-n", "-3"),
		  "bad value '-3' for option '-n' (a number from 2 to 9)" },
		{ &with_any, ARGS("-n", "0x3"),
		  "bad value '0x3' for option '-n' (a number from 2 to 9)" },
		{ &with_any, ARGS("-n", ""),
		  "bad value '' for option '-n' (a number from 2 to 9)" },
		{ &with_any, ARGS("-l", ""), "empty word in the list for option '-l'" },
		{ &with_any, ARGS("-l", "a,"), "empty word in the list for option '-l'" },
		{ &with_any, ARGS("-l", "a,,b"), "empty word in the list for option '-l'" },
		{ &with_any, ARGS("--sources=io,sta"),
		  "bad value 'sta' for option '--sources' (did you mean 'stat'?)" },
		{ &with_any, ARGS("--left", "--right"),
		  "options '--left' and '--right' exclude each other" },
		{ &with_any, ARGS("--right", "-q", "--left"),
		  "options '--right' and '--left' exclude each other" },
		{ &with_none, ARGS("x"), "takes no operand, but got 'x'" },
		{ &with_two, ARGS(), "FORMAT is missing (one of text, json)" },
		{ &with_two, ARGS("json"), "FILE is missing" },
		{ &with_two, ARGS("json", "x", "y"), "one operand too many: 'y'" },
		{ &with_two, ARGS("txt", "x"),
		  "bad value 'txt' for FORMAT (did you mean 'text'?)" },
		{ &with_many, ARGS("-q"), "FILE is missing" },
		{ &with_any, ARGS("--\033[2J\n"), "unknown option '--\\x1b[2J\\n'" },
		{ &with_any, ARGS("-\xff"), "unknown option in '-\\xff'" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *text = outcome(rows[i].command, PARSE_ANYWHERE, rows[i].args);

		assert_string_equal(text, rows[i].want);
	}
}

static void a_long_name_leaves_room_for_the_reason(void **state)
{
	char name[4000];
	_cleanup_free_ char *text = NULL;

	(void)state;
	memset(name, '\001', sizeof(name));
	memcpy(name, "--format=", 9);
	name[sizeof(name) - 1] = '\0';
	text = outcome(&with_any, PARSE_ANYWHERE, ARGS(name));
	assert_non_null(strstr(text, "...' for option '--format' (one of text, json)"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_that_are_not_given_have_their_defaults),
		cmocka_unit_test(values_may_be_spelled_in_four_ways),
		cmocka_unit_test(a_value_is_taken_as_it_is),
		cmocka_unit_test(lists_collect_words),
		cmocka_unit_test(arguments_are_told_apart),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(a_long_name_leaves_room_for_the_reason),
	};

	return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
