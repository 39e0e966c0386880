/* SPDX-License-Identifier: GPL-2.0-only */
/* Man pages in scdoc's language: written by hand, with the parts from the tables filled in. */
#ifndef CLI_MAN_H
#define CLI_MAN_H

#include <stdio.h>

#include "cli/command.h"

/* Copies @in to @out and replaces these lines:
 *	@HEADER@	the first line of a page
 *	@NAME@		name and summary
 *	@SYNOPSIS@	how to call it
 *	@DESCRIPTION@	what help says
 *	@OPTIONS@	operands that are a choice, and options
 *	@COMMANDS@	every command of the program
 *	@ENVIRONMENT@	env.def
 *	@EXIT_STATUS@	exit.def
 * and those of man_format.c. @page is "ktstr" or, for a command, "ktstr-kernel-build", or, for a
 *file format, "NAME.5", which has no name, synopsis, description and options to fill in. -EINVAL
 *for a page that is neither and for an unknown @WORD@. */
_must_check_ int man_page(const struct program *program, const char *page, const char *version,
			  FILE *in, FILE *out, struct err *err);

#endif
