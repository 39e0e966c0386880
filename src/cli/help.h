/* SPDX-License-Identifier: GPL-2.0-only */
/* Help texts from the tables, at most HELP_WIDTH columns wide. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "cli/command.h"

#define HELP_WIDTH 80

void help_program(const struct program *program, FILE *out);
void help_command(const struct program *program, const struct command *command, FILE *out);
void help_group(const struct program *program, const char *group, FILE *out);

/* Appends "ktstr completions [OPTION]... SHELL". */
void help_synopsis(const struct program *program, const struct command *command,
		   struct strbuf *out);

/* Appends the help text of an option with its choices, range and default. */
void help_option_text(const struct option *o, struct strbuf *out);

#endif
