/* SPDX-License-Identifier: GPL-2.0-only */
/* Completion scripts from the tables. They are self-contained: completing runs no ktstr. */
#ifndef CLI_COMPLETE_H
#define CLI_COMPLETE_H

#include <stdio.h>

#include "cli/command.h"

void complete_bash(const struct program *program, FILE *out);
void complete_zsh(const struct program *program, FILE *out);
void complete_fish(const struct program *program, FILE *out);

#endif
