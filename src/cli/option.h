/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One table of options per command, read by the parser, by help, by the completions and by the man
 * page. A row names its target and its default; the macros take pointers of one type each, so a row
 * with the wrong target does not compile.
 *
 *	static enum format arg_format;
 *	static const char *arg_output;
 *
 *	static const struct option options[] = {
 *		OPT_CHOICE('f', "format", &arg_format, "FORMAT", formats, FORMAT_TABLE,
 *			   "how to print"),
 *		OPT_STRING('o', "output", &arg_output, "FILE", NULL, "write to FILE",
 *			   .complete = COMPLETE_FILE),
 *		OPTIONS_END
 *	};
 *
 * Further members may follow the help text. Help texts are lower case without a full stop; choices,
 * ranges and defaults are added to them.
 */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/err.h"
#include "util/strbuf.h"
#include "util/strv.h"

enum option_kind {
	OPTION_END,
	OPTION_HELP,
	OPTION_FLAG,
	OPTION_CHOICE,
	OPTION_STRING,
	OPTION_U64,
	OPTION_LIST,
};

/* What a shell offers where no choices are listed. */
enum complete {
	COMPLETE_NONE,
	COMPLETE_FILE,
	COMPLETE_DIR,
	COMPLETE_COMMAND, /* the commands of this program */
};

/* Lists of choices end with a row without a name. */
struct choice {
	const char *name;
	unsigned value; /* an enum without negative members */
};

struct option {
	enum option_kind kind;
	char letter; /* 0: long form only */
	const char *name;
	const char *arg; /* what stands for the value in help; NULL: takes none */
	const char *help;
	const struct choice *choices;
	union {
		bool *flag;
		unsigned *choice;
		const char **string;
		uint64_t *u64;
		struct strv *list;
	} target;
	union {
		unsigned choice;
		const char *string; /* NULL: none */
		uint64_t u64;
	} def;
	uint64_t min, max;
	unsigned exclusive; /* bit mask: options that share a bit exclude each other */
	enum complete complete;
};

#define OPT_FLAG(letter_, name_, bool_target, help_, ...)                                          \
	{                                                                                          \
		.kind = OPTION_FLAG, .letter = (letter_), .name = (name_), .help = (help_),        \
		.target.flag = (bool_target), __VA_ARGS__                                          \
	}

/* The target is an enum, a value of which is the default. */
#define OPT_CHOICE(letter_, name_, enum_target, arg_, choices_, def_, help_, ...)                  \
	{                                                                                          \
		.kind = OPTION_CHOICE, .letter = (letter_), .name = (name_), .arg = (arg_),        \
		.help = (help_), .choices = (choices_), .target.choice = (enum_target),            \
		.def.choice = (def_), __VA_ARGS__                                                  \
	}

/* The target borrows from argv. */
#define OPT_STRING(letter_, name_, string_target, arg_, def_, help_, ...)                          \
	{                                                                                          \
		.kind = OPTION_STRING, .letter = (letter_), .name = (name_), .arg = (arg_),        \
		.help = (help_), .target.string = (string_target), .def.string = (def_),           \
		__VA_ARGS__                                                                        \
	}

/* A default outside of the range is what nobody can type: it stands for "not given". */
#define OPT_U64(letter_, name_, u64_target, arg_, min_, max_, def_, help_, ...)                    \
	{                                                                                          \
		.kind = OPTION_U64, .letter = (letter_), .name = (name_), .arg = (arg_),           \
		.help = (help_), .target.u64 = (u64_target), .min = (min_), .max = (max_),         \
		.def.u64 = (def_), __VA_ARGS__                                                     \
	}

/* Comma-separated words; given again it adds. With .choices each word is one of them. */
#define OPT_LIST(letter_, name_, strv_target, arg_, help_, ...)                                    \
	{                                                                                          \
		.kind = OPTION_LIST, .letter = (letter_), .name = (name_), .arg = (arg_),          \
		.help = (help_), .target.list = (strv_target), __VA_ARGS__                         \
	}

/* Ends every table, with the option that every command has. */
#define OPTIONS_END                                                                                \
	{ .kind = OPTION_HELP,                                                                     \
	  .letter = 'h',                                                                           \
	  .name = "help",                                                                          \
	  .help = "print this help and exit" },                                                    \
	{                                                                                          \
	}

#define for_each_option(options, o)                                                                \
	for (const struct option *o = (options); o->kind != OPTION_END; o++)

#define for_each_choice(choices, c) for (const struct choice *c = (choices); c->name; c++)

/* The row with that name, or NULL. */
const struct choice *choice_find(const struct choice *choices, const char *name);

/* Appends "text, json". */
void choices_list(const struct choice *choices, struct strbuf *out);

/* Appends the default as the user would type it; false when there is none to show. */
bool option_default(const struct option *o, struct strbuf *out);

#endif
