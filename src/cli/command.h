/* SPDX-License-Identifier: GPL-2.0-only */
/* What a command is, and finding one in the table of a program. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/exit.h"
#include "cli/option.h"
#include "util/vec.h"

/* Lists of operands end with a row without a name; optional ones come last, and only the last may
 * repeat. */
struct operand {
	const char *name; /* as in the synopsis: "SHELL" */
	bool optional;
	bool repeat;
	const struct choice *choices; /* NULL: any text */
	enum complete complete;
};

struct command {
	const char *name;               /* "topo"; two words belong to a group: "kernel build" */
	const char *summary;            /* for lists: one line, lower case, no full stop */
	const char *description;        /* sentences; paragraphs are separated by an empty line */
	const struct operand *operands; /* NULL: takes none */
	const struct option *options;
	/* Prints results on stdout and returns an exit code. Operands are as many as the table
	 * allows, and their choices are checked. */
	int (*run)(size_t n, char **operands);
};

struct program {
	const struct command *self;            /* name and options of the program; no run() */
	const struct command *const *commands; /* ends with NULL */
};

#define for_each_command(program, c)                                                               \
	for (const struct command *const *c = (program)->commands; *c; c++)
#define for_each_operand(operands_, o)                                                             \
	for (const struct operand *o = (operands_); o && o->name; o++)

enum command_match {
	COMMAND_FOUND,
	COMMAND_GROUP,   /* the words name a group, but none of its commands */
	COMMAND_UNKNOWN, /* the first word is neither a command nor a group */
};

/* Looks up one or two of the @n (at least one) words. For COMMAND_FOUND only, @ret_command is
 * written, and @ret_used with how many of the words are its name. */
enum command_match command_find(const struct program *program, char *const *words, size_t n,
				const struct command **ret_command, size_t *ret_used);

/* The second word of "GROUP WORD" when @command belongs to @group, else NULL. */
const char *command_in_group(const struct command *command, const char *group);

/* Appends the groups, and first of all "" for the words right behind the program's name. */
void command_groups(const struct program *program, struct strv *ret);

struct command_word {
	char *word;
	const char *summary;
};

struct command_words {
	VEC(struct command_word) list;
};

/* Adds the words that may stand behind @group, in the order of the table, each once. */
void command_words(const struct program *program, const char *group, struct command_words *ret);
void command_words_done(struct command_words *words);

#endif
