// SPDX-License-Identifier: GPL-2.0-only
#include "cli/complete.h"
#include "cli/program.h"

enum shell {
	SHELL_BASH,
	SHELL_ZSH,
	SHELL_FISH,
};

static const struct choice shells[] = {
	{ "bash", SHELL_BASH },
	{ "zsh", SHELL_ZSH },
	{ "fish", SHELL_FISH },
	{},
};

static const struct operand operands[] = { { "SHELL", .choices = shells }, {} };

static const struct option options[] = { OPTIONS_END };

static int run(size_t n, char **words)
{
	(void)n;
	switch ((enum shell)choice_find(shells, words[0])->value) {
	case SHELL_BASH:
		complete_bash(&ktstr_program, stdout);
		break;
	case SHELL_ZSH:
		complete_zsh(&ktstr_program, stdout);
		break;
	case SHELL_FISH:
		complete_fish(&ktstr_program, stdout);
		break;
	}
	return EXIT_OK;
}

const struct command cmd_completions = {
	.name = "completions",
	.summary = "print the completion script for a shell",
	.description = "Prints the script that makes a shell complete the commands, options and "
		       "values of ktstr. An installed ktstr has put them in place already.",
	.operands = operands,
	.options = options,
	.run = run,
};
