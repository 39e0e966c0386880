/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of one command against its table. */
#ifndef CLI_PARSE_H
#define CLI_PARSE_H

#include "cli/command.h"

enum parse_mode {
	PARSE_ANYWHERE,      /* options may follow operands */
	PARSE_UNTIL_OPERAND, /* the first operand and all behind it are left alone */
};

struct parsed {
	char **operands; /* borrowed strings, owned array */
	size_t n;
};

void parsed_done(struct parsed *parsed);

/* Sets every target to its default, then to what the @n arguments say. Returns 0, 1 when help was
 * asked for, or -EINVAL with a message that names the culprit. @ret is written in the first case
 * only. Operands are counted and checked in mode PARSE_ANYWHERE. */
_must_check_ int parse_arguments(const struct command *command, enum parse_mode mode, size_t n,
				 char **args, struct parsed *ret, struct err *err);

#endif
