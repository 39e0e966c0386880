// SPDX-License-Identifier: GPL-2.0-only
/* Commands of one word and of two, on a table that has both. */
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/dispatch.h"
#include "cli/help.h"
#include "cli/man.h"
#include "cli/program.h"
#include "util/cleanup.h"

static const char *ran;
static size_t ran_with;

static int run_plain(size_t n, char **operands)
{
	(void)operands;
	ran = "plain";
	ran_with = n;
	return EXIT_OK;
}

static int run_build(size_t n, char **operands)
{
	(void)operands;
	ran = "kernel build";
	ran_with = n;
	return EXIT_FAILED;
}

static bool arg_wide;
static uint64_t arg_count;
static const struct operand any[] = { { "FILE", .optional = true, .repeat = true }, {} };
static const struct option no_options[] = { OPTIONS_END };
static const struct option build_options[] = {
	OPT_FLAG('w', "wide", &arg_wide, "be wide"),
	OPT_U64(0, "count-of-things-to-build", &arg_count, "NUMBER", 1, 64, 4,
		"how many of the things to build at the same time, which is a text that does not "
		"fit on one line"),
	OPTIONS_END
};

static const struct command build = { "kernel build", "build a kernel", "Builds *one* kernel.", any,
				      build_options,  run_build };
static const struct command list = { "kernel list", "list kernels", "Lists.",
				     NULL,          no_options,     run_plain };
static const struct command plain = { "plain", "do it", "Does it.", any, no_options, run_plain };
static const struct command *const commands[] = { &build, &plain, &list, NULL };
static const struct command self = { "prog", "program", "Is a program.", any, no_options };
static const struct program program = { &self, commands };

/* What dispatch says on @fd for the words of @line; to be freed. */
static char *said(int fd, FILE *stream, const char *line, int *ret_code)
{
	char words[128], *args[8];
	char *text = calloc(1, 4096);
	FILE *file = tmpfile();
	int kept = dup(fd);
	size_t n = 0;

	snprintf(words, sizeof(words), "%s", line);
	for (char *rest = words, *word; (word = strsep(&rest, " "));)
		if (*word)
			args[n++] = word;
	assert_true(text && file && kept >= 0);
	fflush(stream);
	dup2(fileno(file), fd);
	ran = "nothing";
	*ret_code = dispatch(&program, n, args);
	fflush(stream);
	dup2(kept, fd);
	close(kept);
	rewind(file);
	assert_true(fread(text, 1, 4095, file) < 4095);
	fclose(file);
	return text;
}

static void words_lead_to_the_command(void **state)
{
	static const struct {
		const char *line;
		const char *ran;
		size_t with;
		int code;
	} rows[] = {
		{ "plain", "plain", 0, EXIT_OK },
		{ "plain kernel build", "plain", 2, EXIT_OK },
		{ "kernel build", "kernel build", 0, EXIT_FAILED },
		{ "kernel build a b", "kernel build", 2, EXIT_FAILED },
		{ "kernel build -- --wide", "kernel build", 1, EXIT_FAILED },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int code;
		_cleanup_free_ char *text = said(STDERR_FILENO, stderr, rows[i].line, &code);

		assert_string_equal(text, "");
		assert_string_equal(ran, rows[i].ran);
		assert_int_equal(ran_with, rows[i].with);
		assert_int_equal(code, rows[i].code);
	}
}

static void wrong_words_run_nothing(void **state)
{
	static const struct {
		const char *line, *want;
	} rows[] = {
		{ "plian", "unknown command 'plian' (did you mean 'plain'?); see 'prog --help'" },
		{ "kernal build",
		  "unknown command 'kernal' (did you mean 'kernel'?); see 'prog --help'" },
		{ "build", "unknown command 'build'; see 'prog --help'" },
		{ "kernel", "'kernel' needs a command; see 'prog kernel --help'" },
		{ "kernel biuld", "unknown command 'kernel biuld' (did you mean 'kernel build'?); "
				  "see 'prog kernel --help'" },
		{ "kernel zebra", "unknown command 'kernel zebra'; see 'prog kernel --help'" },
		{ "kernel --wide", "unknown command 'kernel --wide'; see 'prog kernel --help'" },
		{ "kernel build --wdie", "kernel build: unknown option '--wdie' (did you mean "
					 "'--wide'?); see 'prog kernel build --help'" },
		{ "kernel list x",
		  "kernel list: takes no operand, but got 'x'; see 'prog kernel list --help'" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(strbuf_done) struct strbuf want = STRBUF_INIT;
		int code;
		_cleanup_free_ char *text = said(STDERR_FILENO, stderr, rows[i].line, &code);

		strbuf_addf(&want, "ktstr: error: %s\n", rows[i].want);
		assert_string_equal(text, want.s);
		assert_string_equal(ran, "nothing");
		assert_int_equal(code, EXIT_USAGE);
	}
}

static void help_is_made_from_the_tables(void **state)
{
	static const char build_help[] =
		"Usage: prog kernel build [OPTION]... [FILE]...\n\nBuilds *one* kernel.\n\n"
		"Options:\n"
		"  -w, --wide              be wide\n"
		"      --count-of-things-to-build=NUMBER\n"
		"                          how many of the things to build at the same time,\n"
		"                          which is a text that does not fit on one line, 1 to 64\n"
		"                          (default: 4)\n"
		"  -h, --help              print this help and exit\n";
	static const char group_help[] = "Usage: prog kernel COMMAND [ARGUMENT]...\n\nCommands:\n"
					 "  kernel build            build a kernel\n"
					 "  kernel list             list kernels\n\n"
					 "'prog help kernel COMMAND' tells more about a command.\n";
	static const struct {
		const char *line, *want;
	} rows[] = {
		{ "kernel build --help", build_help },
		{ "kernel build x -h y", build_help },
		{ "kernel --help", group_help },
		{ "kernel -h", group_help },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int code;
		_cleanup_free_ char *text = said(STDOUT_FILENO, stdout, rows[i].line, &code);

		assert_string_equal(text, rows[i].want);
		assert_string_equal(ran, "nothing");
		assert_int_equal(code, EXIT_OK);
	}
}

/* The page made from @in, or the message. */
static char *page(const char *name, const char *in)
{
	char *text = NULL;
	size_t len;
	FILE *from = fmemopen((char *)in, strlen(in), "r"), *to = open_memstream(&text, &len);
	struct err err;

	assert_true(from && to);
	if (man_page(&program, name, "1.2", from, to, &err) < 0) {
		rewind(to);
		fputs(err.text, to);
	}
	fclose(from);
	fclose(to);
	return text;
}

static void man_pages_are_filled_in(void **state)
{
	static const struct {
		const char *name, *in, *want;
	} rows[] = {
		{ "prog", "@HEADER@\n", "prog(1) \"prog 1.2\" \"prog manual\"\n" },
		{ "prog", "@NAME@\nand @NAME@ so\n", "prog - program\nand @NAME@ so\n" },
		{ "prog-kernel-build", "@NAME@\n", "prog-kernel-build - build a kernel\n" },
		{ "prog-kernel-build", "@SYNOPSIS@\n",
		  "prog kernel build \\[OPTION\\]... \\[FILE\\]...\n" },
		{ "prog-kernel-build", "@DESCRIPTION@\n", "Builds \\*one\\* kernel.\n" },
		{ "prog-kernel-list", "@OPTIONS@\n",
		  "*-h*, *--help*\n\tPrint this help and exit.\n\n" },
		{ "prog", "@COMMANDS@\n",
		  "*prog-kernel-build*(1)\n\tBuild a kernel.\n\n*prog-plain*(1)\n\tDo it.\n\n"
		  "*prog-kernel-list*(1)\n\tList kernels.\n\n" },
		{ "prog-kernel", "", "'prog-kernel' is no command" },
		{ "prog", "@NONSENSE@\n", "nothing to fill in for @NONSENSE@" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *text = page(rows[i].name, *rows[i].in ? rows[i].in : "\n");

		assert_string_equal(text, rows[i].want);
	}
}

static bool is_word(const char *s)
{
	return *s && s[strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

/* What completions and man pages rely on holds for every row of ktstr's own tables. */
static void our_own_tables_are_in_order(void **state)
{
	(void)state;
	for_each_command (&ktstr_program, c) {
		_cleanup_free_ char *name = strdup((*c)->name);
		char *space = strchr(name, ' ');

		if (space)
			*space = '-';
		assert_true(is_word(name));
		assert_non_null((*c)->summary);
		assert_non_null((*c)->description);
		assert_non_null((*c)->run);
		for_each_command (&ktstr_program, other)
			assert_false(*c != *other && (strcmp((*c)->name, (*other)->name) == 0 ||
						      command_in_group(*other, (*c)->name)));
		for_each_option ((*c)->options, o) {
			assert_true(is_word(o->name));
			assert_null(strpbrk(o->help, "\\\n"));
			for (const struct choice *ch = o->choices; ch && ch->name; ch++)
				assert_true(is_word(ch->name));
			for (const struct option *p = (*c)->options; p < o; p++)
				assert_false(strcmp(p->name, o->name) == 0 ||
					     (o->letter && p->letter == o->letter));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_lead_to_the_command),
		cmocka_unit_test(wrong_words_run_nothing),
		cmocka_unit_test(help_is_made_from_the_tables),
		cmocka_unit_test(man_pages_are_filled_in),
		cmocka_unit_test(our_own_tables_are_in_order),
	};

	return cmocka_run_group_tests_name("dispatch", tests, NULL, NULL);
}
