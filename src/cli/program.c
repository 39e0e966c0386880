// SPDX-License-Identifier: GPL-2.0-only
#include "cli/program.h"

bool arg_version;

#define COMMAND(id) extern const struct command cmd_##id;
#include "cli/cmds.def"
#undef COMMAND

static const struct command *const commands[] = {
#define COMMAND(id) &cmd_##id,
#include "cli/cmds.def"
#undef COMMAND
	NULL
};

static const struct option options[] = {
	OPT_FLAG('V', "version", &arg_version, "print the version and exit"), OPTIONS_END
};

static const struct operand operands[] = { { "COMMAND", .complete = COMPLETE_COMMAND },
					   { "ARGUMENT", .optional = true, .repeat = true },
					   {} };

static const struct command self = {
	.name = "ktstr",
	.summary = "profile threads, test schedulers",
	.description = "Profiler for the threads of a Linux host, and test harness for Linux "
		       "process schedulers.",
	.operands = operands,
	.options = options,
};

const struct program ktstr_program = { .self = &self, .commands = commands };
