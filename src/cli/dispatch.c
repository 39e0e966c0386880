// SPDX-License-Identifier: GPL-2.0-only
#include "cli/dispatch.h"

#include <stdio.h>
#include <string.h>

#include "cli/help.h"
#include "cli/parse.h"
#include "util/cleanup.h"
#include "util/log.h"
#include "util/suggest.h"

int usage_error(const struct program *program, const struct command *command, const char *text)
{
	const char *name = program->self->name;

	if (command)
		log_error("%s: %s; see '%s %s --help'", command->name, text, name, command->name);
	else
		log_error("%s; see '%s --help'", text, name);
	return EXIT_USAGE;
}

static int unknown_command(const struct program *program, const char *word)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	_cleanup_(command_words_done) struct command_words words = {};
	struct suggestion near;

	strbuf_addstr(&text, "unknown command '");
	quote_word(&text, word);
	strbuf_addch(&text, '\'');
	suggest_init(&near, word);
	command_words(program, "", &words);
	for (size_t i = 0; i < words.list.n; i++)
		suggest_offer(&near, words.list.v[i].word);
	if (near.best)
		strbuf_addf(&text, " (did you mean '%s'?)", near.best);
	return usage_error(program, NULL, text.s);
}

static int unknown_in_group(const struct program *program, const char *group, const char *word)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct suggestion near;

	if (!word) {
		log_error("'%s' needs a command; see '%s %s --help'", group, program->self->name,
			  group);
		return EXIT_USAGE;
	}
	quote_word(&text, word);
	suggest_init(&near, word);
	for_each_command (program, c) {
		const char *rest = command_in_group(*c, group);

		if (rest)
			suggest_offer(&near, rest);
	}
	if (near.best)
		log_error("unknown command '%s %s' (did you mean '%s %s'?); see '%s %s --help'",
			  group, text.s, group, near.best, program->self->name, group);
	else
		log_error("unknown command '%s %s'; see '%s %s --help'", group, text.s,
			  program->self->name, group);
	return EXIT_USAGE;
}

static int run(const struct program *program, const struct command *command, size_t n, char **args)
{
	_cleanup_(parsed_done) struct parsed parsed = {};
	struct err err;
	int r = parse_arguments(command, PARSE_ANYWHERE, n, args, &parsed, &err);

	if (r < 0)
		return usage_error(program, command, err.text);
	if (r > 0) {
		help_command(program, command, stdout);
		return EXIT_OK;
	}
	return command->run(parsed.n, parsed.operands);
}

static bool is_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

int dispatch(const struct program *program, size_t n, char **args)
{
	const struct command *command;
	size_t used;

	if (n == 0) {
		help_program(program, stderr);
		return EXIT_USAGE;
	}
	switch (command_find(program, args, n, &command, &used)) {
	case COMMAND_FOUND:
		return run(program, command, n - used, args + used);
	case COMMAND_GROUP:
		if (n > 1 && is_help(args[1])) {
			help_group(program, args[0], stdout);
			return EXIT_OK;
		}
		return unknown_in_group(program, args[0], n > 1 ? args[1] : NULL);
	case COMMAND_UNKNOWN:
		break;
	}
	return unknown_command(program, args[0]);
}

static int one_too_many(const struct program *program, const char *word)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

	strbuf_addstr(&text, "one word too many: '");
	quote_word(&text, word);
	strbuf_addch(&text, '\'');
	return usage_error(program, NULL, text.s);
}

int dispatch_help(const struct program *program, size_t n, char **words)
{
	const struct command *command;
	size_t used;

	if (n == 0) {
		help_program(program, stdout);
		return EXIT_OK;
	}
	switch (command_find(program, words, n, &command, &used)) {
	case COMMAND_FOUND:
		if (used < n)
			return one_too_many(program, words[used]);
		help_command(program, command, stdout);
		return EXIT_OK;
	case COMMAND_GROUP:
		if (n > 1)
			return unknown_in_group(program, words[0], words[1]);
		help_group(program, words[0], stdout);
		return EXIT_OK;
	case COMMAND_UNKNOWN:
		break;
	}
	return unknown_command(program, words[0]);
}
