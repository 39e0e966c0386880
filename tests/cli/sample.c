// SPDX-License-Identifier: GPL-2.0-only
/* sample SHELL: completions of a program that has one of everything, which ktstr does not yet. */
#include <stdio.h>
#include <string.h>

#include "cli/complete.h"

static bool arg_quiet, arg_left, arg_right;
static unsigned arg_format;
static const char *arg_output, *arg_root, *arg_name;
static uint64_t arg_count;
static struct strv arg_sources;

static const struct choice formats[] = { { "text", 0 }, { "json", 1 }, {} };
static const struct choice sources[] = { { "stat", 0 }, { "status", 0 }, { "io", 0 }, {} };

static const struct option all_options[] = {
	OPT_FLAG('q', "quiet", &arg_quiet, "don't [say] much: nothing"),
	OPT_CHOICE('f', "format", &arg_format, "FORMAT", formats, 0, "how to print"),
	OPT_STRING('o', "output", &arg_output, "FILE", NULL, "write to FILE",
		   .complete = COMPLETE_FILE),
	OPT_STRING(0, "root", &arg_root, "DIR", "/", "look there", .complete = COMPLETE_DIR),
	OPT_STRING(0, "name", &arg_name, "NAME", NULL, "any name"),
	OPT_U64('n', "count", &arg_count, "N", 1, 9, 3, "how often"),
	OPT_LIST('s', "sources", &arg_sources, "LIST", "what to read", .choices = sources),
	OPT_FLAG(0, "left", &arg_left, "one side", .exclusive = 1),
	OPT_FLAG(0, "right", &arg_right, "the other side", .exclusive = 1),
	OPTIONS_END
};
static const struct option no_options[] = { OPTIONS_END };

static const struct operand files[] = { { "FORMAT", .choices = formats },
					{ "FILE", .repeat = true, .complete = COMPLETE_FILE },
					{} };
static const struct operand directory[] = { { "DIR", .complete = COMPLETE_DIR }, {} };
static const struct operand anything[] = { { "TEXT", .optional = true }, {} };
static const struct operand command_name[] = {
	{ "COMMAND", .optional = true, .repeat = true, .complete = COMPLETE_COMMAND }, {}
};

static const struct command all = { "every-thing", "all 'options': here", "", files, all_options };
static const struct command one = { "group one", "first", "", directory, no_options };
static const struct command two = { "group sec-ond", "second", "", anything, all_options };
static const struct command help = { "help", "tell", "", command_name, no_options };
static const struct command *const commands[] = { &one, &all, &two, &help, NULL };
static const struct command self = { "sample", "", "", NULL, no_options };
static const struct program program = { &self, commands };

int main(int argc, char **argv)
{
	static const struct {
		const char *shell;
		void (*complete)(const struct program *program, FILE *out);
	} shells[] = {
		{ "bash", complete_bash },
		{ "zsh", complete_zsh },
		{ "fish", complete_fish },
	};

	for (size_t i = 0; i < ARRAY_SIZE(shells); i++)
		if (strcmp(argv[argc - 1], shells[i].shell) == 0) {
			shells[i].complete(&program, stdout);
			return 0;
		}
	return 2;
}
