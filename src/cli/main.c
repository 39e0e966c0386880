// SPDX-License-Identifier: GPL-2.0-only
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/dispatch.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/parse.h"
#include "cli/program.h"
#include "config.h"
#include "util/cleanup.h"
#include "util/log.h"

static void set_log_level(void)
{
	const char *name = getenv("KTSTR_LOG");
	enum log_level level;

	if (!name || !*name)
		return;
	if (log_level_parse(name, &level) == 0)
		log_set_level(level);
	else
		log_warn("KTSTR_LOG is '%.64s', not one of error, warn, info, debug", name);
}

static int run(size_t n, char **args)
{
	_cleanup_(parsed_done) struct parsed parsed = {};
	struct err err;
	int r = parse_arguments(ktstr_program.self, PARSE_UNTIL_OPERAND, n, args, &parsed, &err);

	if (r < 0)
		return usage_error(&ktstr_program, NULL, err.text);
	if (r > 0) {
		help_program(&ktstr_program, stdout);
		return EXIT_OK;
	}
	if (arg_version) {
		puts("ktstr " KTSTR_VERSION);
		return EXIT_OK;
	}
	/* Numbers keep the C locale; only the terminal's character set is of interest. */
	setlocale(LC_CTYPE, "");
	return dispatch(&ktstr_program, parsed.n, parsed.operands);
}

int main(int argc, char **argv)
{
	output_init();
	/* A reader that went away ends us quietly, even if our parent ignores the signal. */
	signal(SIGPIPE, SIG_DFL);
	/* A file past the limit (ulimit -f) is a failure to tell like any other. */
	signal(SIGXFSZ, SIG_IGN);
	set_log_level();
	return output_finish(run(argc > 0 ? (size_t)argc - 1 : 0, argv + 1));
}
