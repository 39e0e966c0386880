// SPDX-License-Identifier: GPL-2.0-only
#include "cli/complete_zsh.inc"
#include "cli/complete.h"
#include "util/cleanup.h"

/* A command's name as part of a function's name. */
static void put_id(const char *name, FILE *out)
{
	for (; *name; name++)
		fputc(*name == ' ' || *name == '-' ? '_' : *name, out);
}

/* Text inside the brackets of _arguments, inside single quotes. */
static void put_help(const char *text, FILE *out)
{
	for (; *text; text++)
		if (*text == '\'')
			fputs("'\\''", out);
		else if (*text == ']' || *text == '[' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else
			fputc(*text, out);
}

/* ":MESSAGE:ACTION" of _arguments. */
static void put_place(const char *name, const char *message, const struct choice *choices,
		      enum complete complete, enum option_kind kind, FILE *out)
{
	fprintf(out, ":%s:", message);
	if (choices) {
		fputs(kind == OPTION_LIST ? "_sequence compadd - " : "(", out);
		complete_choices(choices, out);
		if (kind != OPTION_LIST)
			fputc(')', out);
		return;
	}
	switch (complete) {
	case COMPLETE_FILE:
		fputs("_files", out);
		break;
	case COMPLETE_DIR:
		fputs("_files -/", out);
		break;
	case COMPLETE_COMMAND:
		fprintf(out, " _%s_command_words", name);
		break;
	case COMPLETE_NONE:
		break;
	}
}

/* "(-f --format --other)": what is not offered any more once @o is there. */
static void put_exclusions(const struct option *options, const struct option *o, FILE *out)
{
	if (o->kind == OPTION_HELP) {
		fputs("(- *)", out);
		return;
	}
	fputc('(', out);
	for_each_option (options, other) {
		bool self = other == o && o->kind != OPTION_LIST;

		if (!self && !(other != o && (other->exclusive & o->exclusive)))
			continue;
		if (other->letter)
			fprintf(out, "-%c ", other->letter);
		fprintf(out, "--%s ", other->name);
	}
	fputc(')', out);
}

static void put_spelling(const char *name, const struct option *options, const struct option *o,
			 const char *spelling, FILE *out)
{
	fputs(" \\\n\t\t'", out);
	put_exclusions(options, o, out);
	fprintf(out, "%s%s[", o->kind == OPTION_LIST ? "*" : "", spelling);
	put_help(o->help, out);
	fputc(']', out);
	if (o->arg)
		put_place(name, o->arg, o->choices, o->complete, o->kind, out);
	fputc('\'', out);
}

static void put_options(const char *name, const struct option *options, FILE *out)
{
	for_each_option (options, o) {
		char spelling[80];

		if (o->letter) {
			snprintf(spelling, sizeof(spelling), "-%c%s", o->letter, o->arg ? "+" : "");
			put_spelling(name, options, o, spelling, out);
		}
		snprintf(spelling, sizeof(spelling), "--%s%s", o->name, o->arg ? "=" : "");
		put_spelling(name, options, o, spelling, out);
	}
}

static void put_command(const char *name, const struct command *command, FILE *out)
{
	fprintf(out, "_%s__", name);
	put_id(command->name, out);
	fputs("()\n{\n\t_arguments -s -S :", out);
	put_options(name, command->options, out);
	for_each_operand (command->operands, o) {
		fprintf(out, " \\\n\t\t'%s", o->repeat ? "*" : o->optional ? ":" : "");
		put_place(name, o->name, o->choices, o->complete, OPTION_STRING, out);
		fputc('\'', out);
	}
	fputs("\n}\n\n", out);
}

/* A function for the program or one of its groups: a command, then what belongs to it. */
static void put_chooser(const struct program *program, const char *group, FILE *out)
{
	static const struct option only_help[] = { OPTIONS_END };
	const char *name = program->self->name;

	fprintf(out, "_%s%s", name, *group ? "__" : "");
	put_id(group, out);
	fputs("()\n{\n\tlocal curcontext=$curcontext state line\n\ttypeset -A opt_args\n\n"
	      "\t_arguments -C -s -S :",
	      out);
	put_options(name, *group ? only_help : program->self->options, out);
	fprintf(out, " \\\n\t\t':command: _%s_commands \"%s\"' \\\n\t\t'*:: :->rest' && return\n",
		name, group);
	fprintf(out, "\t[[ $state == rest ]] && _%s_run '", name);
	put_id(group, out);
	fputs("'\n}\n\n", out);
}

static void put_described(const struct program *program, const char *group, FILE *out)
{
	_cleanup_(command_words_done) struct command_words words = {};

	command_words(program, group, &words);
	fprintf(out, "\t('%s') commands=(", group);
	for (size_t i = 0; i < words.list.n; i++) {
		fprintf(out, "\n\t\t'%s:", words.list.v[i].word);
		put_help(words.list.v[i].summary, out);
		fputc('\'', out);
	}
	fputs(") ;;\n", out);
}

void complete_zsh(const struct program *program, FILE *out)
{
	const char *name = program->self->name;
	_cleanup_(strv_done) struct strv groups = STRV_INIT;

	command_groups(program, &groups);
	fprintf(out, "#compdef %s\n# zsh completion, made by '%s completions zsh'\n\n", name, name);
	fprintf(out, "_%s_commands()\n{\n\tlocal -a commands\n\n\tcase $1 in\n", name);
	for (size_t i = 0; i < groups.n; i++)
		put_described(program, groups.v[i], out);
	fputs("\tesac\n\t_describe -t commands command commands\n}\n\n", out);
	for (size_t i = 0; i < groups.n; i++)
		put_chooser(program, groups.v[i], out);
	for_each_command (program, c)
		put_command(name, *c, out);
	complete_body(complete_zsh_body, name, out);
}
