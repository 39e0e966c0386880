/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to the making of man pages: what fills in the lines of one. */
#ifndef CLI_MAN_PARTS_H
#define CLI_MAN_PARTS_H

#include <stdio.h>

#include "cli/command.h"

struct page {
	const struct program *program;
	const struct command *command; /* NULL: a page about a file */
	const char *name;
	const char *version;
	FILE *out;
};

struct man_part {
	const char *line; /* "@WORD@\n" */
	void (*put)(const struct page *p);
	bool of_command;
};

/* Lists of the file formats; ends with a row without a line. */
extern const struct man_part man_format_parts[];

/* Text that means nothing to scdoc. */
void man_literal(FILE *out, const char *text);

/* A help text as a sentence, with the end of its line. */
void man_sentence(FILE *out, const char *text);

#endif
