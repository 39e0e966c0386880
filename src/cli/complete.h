/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Completion scripts from the tables. They are complete in themselves: completing a word runs no
 * ktstr. Names of commands, options and choices are words of letters, digits and dashes.
 */
#ifndef CLI_COMPLETE_H
#define CLI_COMPLETE_H

#include <stdio.h>

#include "cli/command.h"

void complete_bash(const struct program *program, FILE *out);
void complete_zsh(const struct program *program, FILE *out);
void complete_fish(const struct program *program, FILE *out);

/* For the three: 'text' as all these shells quote it, and names with spaces between. */
void complete_quoted(const char *text, FILE *out);
void complete_choices(const struct choice *choices, FILE *out);

/* A part written by hand, @name in place of NAME. */
void complete_body(const char *text, const char *name, FILE *out);

/* The words that may stand behind @group ("": behind the program's name), with spaces between. */
void complete_commands(const struct program *program, const char *group, FILE *out);

#endif
