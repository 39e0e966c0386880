// SPDX-License-Identifier: GPL-2.0-only
#include "cli/complete_fish.inc"
#include "cli/complete.h"
#include "util/cleanup.h"

static void put_groups(const struct program *program, FILE *out)
{
	_cleanup_(strv_done) struct strv groups = STRV_INIT;

	command_groups(program, &groups);
	fprintf(out,
		"# Words behind which a command is due.\n"
		"function __%s_groups\n    printf '%%s\\n'",
		program->self->name);
	for (size_t i = 0; i < groups.n; i++)
		fprintf(out, " '%s'", groups.v[i]);
	fputs("\nend\n\n", out);
}

static void put_valued(const struct command *command, const char *as, FILE *out)
{
	for_each_option (command->options, o) {
		if (!o->arg)
			continue;
		fprintf(out, " '%s --%s'", as, o->name);
		if (o->letter)
			fprintf(out, " '%s -%c'", as, o->letter);
	}
}

static void put_takes_value(const struct program *program, FILE *out)
{
	fprintf(out,
		"# The options of commands that take a value.\n"
		"function __%s_takes_value\n    contains -- $argv[1]",
		program->self->name);
	put_valued(program->self, "", out);
	for_each_command (program, c)
		put_valued(*c, (*c)->name, out);
	fputs("\nend\n\n", out);
}

/* Arguments of fish's complete: what may stand there. */
static void put_place(const struct choice *choices, enum complete complete, enum option_kind kind,
		      FILE *out)
{
	if (choices) {
		fputs(kind == OPTION_LIST ? " -a '(__fish_append , " : " -a '", out);
		complete_choices(choices, out);
		fputs(kind == OPTION_LIST ? ")'" : "'", out);
		return;
	}
	switch (complete) {
	case COMPLETE_FILE:
		fputs(" -F", out);
		break;
	case COMPLETE_DIR:
		fputs(" -a '(__fish_complete_directories)'", out);
		break;
	case COMPLETE_COMMAND:
	case COMPLETE_NONE:
		break;
	}
}

static void put_options(const char *name, const struct command *command, const char *as, FILE *out)
{
	for_each_option (command->options, o) {
		fprintf(out, "complete -c %s -n \"__%s_at '%s'\"", name, name, as);
		if (o->letter)
			fprintf(out, " -s %c", o->letter);
		fprintf(out, " -l %s", o->name);
		if (o->arg)
			fputs(o->complete == COMPLETE_FILE && !o->choices ? " -r" : " -x", out);
		put_place(o->choices, o->complete, o->kind, out);
		fputs(" -d ", out);
		complete_quoted(o->help, out);
		fputc('\n', out);
	}
}

/* Every command, in one word or two; @condition and the words before it say where. */
static void put_commands(const struct program *program, const char *condition, FILE *out)
{
	const char *name = program->self->name;
	_cleanup_(strv_done) struct strv groups = STRV_INIT;

	command_groups(program, &groups);
	for (size_t i = 0; i < groups.n; i++) {
		_cleanup_(command_words_done) struct command_words words = {};

		command_words(program, groups.v[i], &words);
		for (size_t j = 0; j < words.list.n; j++) {
			fprintf(out, "complete -c %s -n \"__%s_%s '%s'\" -a %s -d ", name, name,
				condition, groups.v[i], words.list.v[j].word);
			complete_quoted(words.list.v[j].summary, out);
			fputc('\n', out);
		}
	}
}

static void put_operands(const struct program *program, const struct command *command, FILE *out)
{
	const char *name = program->self->name;
	int number = 0;

	for_each_operand (command->operands, o) {
		char condition[128];

		if (o->complete == COMPLETE_COMMAND) {
			snprintf(condition, sizeof(condition), "behind '%s'", command->name);
			put_commands(program, condition, out);
		} else if (o->choices || o->complete != COMPLETE_NONE) {
			fprintf(out, "complete -c %s -n \"__%s_at '%s' %d%s\"", name, name,
				command->name, number, o->repeat ? "+" : "");
			put_place(o->choices, o->complete, OPTION_STRING, out);
			fputc('\n', out);
		}
		number++;
	}
}

void complete_fish(const struct program *program, FILE *out)
{
	const char *name = program->self->name;

	fprintf(out, "# fish completion, made by '%s completions fish'\n\n", name);
	put_groups(program, out);
	put_takes_value(program, out);
	complete_body(complete_fish_body, name, out);
	put_options(name, program->self, "", out);
	put_commands(program, "at", out);
	for_each_command (program, c) {
		put_options(name, *c, (*c)->name, out);
		put_operands(program, *c, out);
	}
}
