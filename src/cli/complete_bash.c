// SPDX-License-Identifier: GPL-2.0-only
#include "cli/complete_bash.inc"
#include "cli/complete.h"
#include "util/cleanup.h"

/* Tables as functions for complete.bash. Their first argument is the command so far, '' for none.
 */

static void put_commands(const struct program *program, FILE *out)
{
	_cleanup_(strv_done) struct strv groups = STRV_INIT;

	command_groups(program, &groups);
	fprintf(out,
		"# Sets words to the commands behind the given group.\n"
		"_%s_commands()\n{\n\tcase $1 in\n",
		program->self->name);
	for (size_t i = 0; i < groups.n; i++) {
		fprintf(out, "\t'%s') words='", groups.v[i]);
		complete_commands(program, groups.v[i], out);
		fputs("' ;;\n", out);
	}
	fputs("\t*) return 1 ;;\n\tesac\n}\n\n", out);
}

static void put_option_names(const struct command *command, const char *as, FILE *out)
{
	fprintf(out, "\t'%s') words='", as);
	for_each_option (command->options, o) {
		fprintf(out, "%s--%s", o == command->options ? "" : " ", o->name);
		if (o->letter)
			fprintf(out, " -%c", o->letter);
	}
	fputs("' ;;\n", out);
}

/* The right side of a case: what may stand there. */
static void put_place(const struct choice *choices, enum complete complete, FILE *out)
{
	if (choices) {
		fputs("words='", out);
		complete_choices(choices, out);
		fputs("'", out);
		return;
	}
	switch (complete) {
	case COMPLETE_FILE:
		fputs("kind=file", out);
		break;
	case COMPLETE_DIR:
		fputs("kind=directory", out);
		break;
	case COMPLETE_COMMAND:
		fputs("kind=command", out);
		break;
	case COMPLETE_NONE:
		fputs(":", out);
		break;
	}
}

static void put_values(const struct command *command, const char *as, FILE *out)
{
	for_each_option (command->options, o) {
		if (!o->arg)
			continue;
		fprintf(out, "\t'%s --%s'", as, o->name);
		if (o->letter)
			fprintf(out, " | '%s -%c'", as, o->letter);
		fputs(") ", out);
		if (o->kind == OPTION_LIST)
			fputs("list=1 ", out);
		put_place(o->choices, o->complete, out);
		fputs(" ;;\n", out);
	}
}

static void put_operands(const struct command *command, FILE *out)
{
	int number = 0;

	for_each_operand (command->operands, o) {
		if (o->repeat)
			fprintf(out, "\t'%s '*) ", command->name);
		else
			fprintf(out, "\t'%s %d') ", command->name, number++);
		put_place(o->choices, o->complete, out);
		fputs(" ;;\n", out);
	}
}

static void put_tables(const struct program *program, FILE *out)
{
	const char *name = program->self->name;

	put_commands(program, out);
	fprintf(out, "# Sets words to the options of a command.\n_%s_options()\n{\n\tcase $1 in\n",
		name);
	put_option_names(program->self, "", out);
	for_each_command (program, c)
		put_option_names(*c, (*c)->name, out);
	fprintf(out,
		"\tesac\n}\n\n# Fails unless the option of a command takes a value; sets words or "
		"kind.\n_%s_value()\n{\n\tcase \"$1 $2\" in\n",
		name);
	put_values(program->self, "", out);
	for_each_command (program, c)
		put_values(*c, (*c)->name, out);
	fprintf(out,
		"\t*) return 1 ;;\n\tesac\n}\n\n# Sets words or kind for the operand of a command, "
		"counted from 0.\n_%s_operand()\n{\n\tcase \"$1 $2\" in\n",
		name);
	for_each_command (program, c)
		put_operands(*c, out);
	fputs("\tesac\n}\n\n", out);
}

void complete_bash(const struct program *program, FILE *out)
{
	const char *name = program->self->name;

	fprintf(out, "# bash completion, made by '%s completions bash'\n\n", name);
	put_tables(program, out);
	complete_body(complete_bash_body, name, out);
}
