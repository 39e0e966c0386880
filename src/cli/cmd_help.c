// SPDX-License-Identifier: GPL-2.0-only
#include "cli/dispatch.h"
#include "cli/program.h"

static const struct operand operands[] = {
	{ "COMMAND", .optional = true, .repeat = true, .complete = COMPLETE_COMMAND }, {}
};

static const struct option options[] = { OPTIONS_END };

static int run(size_t n, char **words)
{
	return dispatch_help(&ktstr_program, n, words);
}

const struct command cmd_help = {
	.name = "help",
	.summary = "print help about a command",
	.description = "Prints what 'ktstr COMMAND --help' prints, and without COMMAND a list of "
		       "all commands.",
	.operands = operands,
	.options = options,
	.run = run,
};
