/* SPDX-License-Identifier: GPL-2.0-only */
/* The program ktstr: its commands (cmds.def) and its own options. */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include "cli/command.h"

extern const struct program ktstr_program;

/* Set by the program's own options. */
extern bool arg_version;

#endif
