/* SPDX-License-Identifier: GPL-2.0-only */
/* From the arguments of the program to the command that runs, and its exit code. */
#ifndef CLI_DISPATCH_H
#define CLI_DISPATCH_H

#include "cli/command.h"

/* @args are those behind the program's name, options of the program already taken off. */
int dispatch(const struct program *program, size_t n, char **args);

/* Prints the help that @words (none: the program, a command, a group) ask for on stdout. */
int dispatch_help(const struct program *program, size_t n, char **words);

/* The one line on stderr for a wrong command line; returns EXIT_USAGE. @command may be NULL. */
int usage_error(const struct program *program, const struct command *command, const char *text);

#endif
