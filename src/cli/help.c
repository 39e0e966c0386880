// SPDX-License-Identifier: GPL-2.0-only
#include "cli/help.h"

#include <inttypes.h>
#include <string.h>

#include "util/cleanup.h"

#define TEXT_COLUMN 26 /* where explanations start */

/* Prints the words of @text with lines that start at column @indent; the cursor is at @column. */
static void wrap(FILE *out, const char *text, size_t column, size_t indent)
{
	struct slice rest = slice_of(text), word;
	bool first = true;

	while (slice_word(&rest, &word)) {
		if (!first && column + 1 + word.n > HELP_WIDTH) {
			fputc('\n', out);
			column = 0;
			first = true;
		}
		if (column < indent) {
			fprintf(out, "%*s", (int)(indent - column), "");
			column = indent;
		}
		column += (size_t)fprintf(out, "%s%.*s", first ? "" : " ", (int)word.n, word.s);
		first = false;
	}
	fputc('\n', out);
}

static void paragraphs(FILE *out, const char *text)
{
	while (text) {
		const char *end = strstr(text, "\n\n");
		_cleanup_(strbuf_done) struct strbuf one = STRBUF_INIT;

		strbuf_add(&one, text, end ? (size_t)(end - text) : strlen(text));
		wrap(out, one.s, 0, 0);
		if (end)
			fputc('\n', out);
		text = end ? end + 2 : NULL;
	}
}

/* A term and its explanation, which starts on the next line when the term is wide. */
static void entry(FILE *out, const char *term, const char *text)
{
	size_t column = (size_t)fprintf(out, "  %s", term);

	if (column + 2 > TEXT_COLUMN) {
		fputc('\n', out);
		column = 0;
	}
	wrap(out, text, column, TEXT_COLUMN);
}

void help_option_text(const struct option *o, struct strbuf *out)
{
	_cleanup_(strbuf_done) struct strbuf def = STRBUF_INIT;

	strbuf_addstr(out, o->help);
	if (o->choices) {
		strbuf_addstr(out, ": ");
		choices_list(o->choices, out);
	}
	if (o->kind == OPTION_U64 && o->max != UINT64_MAX)
		strbuf_addf(out, ", %" PRIu64 " to %" PRIu64, o->min, o->max);
	if (option_default(o, &def))
		strbuf_addf(out, " (default: %s)", def.s);
}

static void option_entries(FILE *out, const struct option *options)
{
	fputs("\nOptions:\n", out);
	for_each_option (options, o) {
		_cleanup_(strbuf_done) struct strbuf term = STRBUF_INIT;
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

		if (o->letter)
			strbuf_addf(&term, "-%c, ", o->letter);
		else
			strbuf_addstr(&term, "    ");
		strbuf_addf(&term, "--%s%s%s", o->name, o->arg ? "=" : "", o->arg ? o->arg : "");
		help_option_text(o, &text);
		entry(out, term.s, text.s);
	}
}

void help_synopsis(const struct program *program, const struct command *command, struct strbuf *out)
{
	strbuf_addstr(out, program->self->name);
	if (command != program->self)
		strbuf_addf(out, " %s", command->name);
	strbuf_addstr(out, " [OPTION]...");
	for_each_operand (command->operands, o)
		strbuf_addf(out, " %s%s%s%s", o->optional ? "[" : "", o->name,
			    o->optional ? "]" : "", o->repeat ? "..." : "");
}

static void usage_line(FILE *out, const struct program *program, const struct command *command)
{
	_cleanup_(strbuf_done) struct strbuf synopsis = STRBUF_INIT;

	help_synopsis(program, command, &synopsis);
	fprintf(out, "Usage: %s\n", synopsis.s);
}

static void operand_entries(FILE *out, const struct operand *operands)
{
	bool any = false;

	for_each_operand (operands, o) {
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

		if (!o->choices)
			continue;
		if (!any)
			fputc('\n', out);
		any = true;
		strbuf_addstr(&text, "one of ");
		choices_list(o->choices, &text);
		entry(out, o->name, text.s);
	}
}

void help_command(const struct program *program, const struct command *command, FILE *out)
{
	usage_line(out, program, command);
	fputc('\n', out);
	paragraphs(out, command->description);
	operand_entries(out, command->operands);
	option_entries(out, command->options);
}

void help_program(const struct program *program, FILE *out)
{
	const char *name = program->self->name;

	usage_line(out, program, program->self);
	fputc('\n', out);
	paragraphs(out, program->self->description);
	fputs("\nCommands:\n", out);
	for_each_command (program, c)
		entry(out, (*c)->name, (*c)->summary);
	option_entries(out, program->self->options);
	fprintf(out, "\n'%s help COMMAND' tells more about a command.\n", name);
}

void help_group(const struct program *program, const char *group, FILE *out)
{
	fprintf(out, "Usage: %s %s COMMAND [ARGUMENT]...\n\nCommands:\n", program->self->name,
		group);
	for_each_command (program, c)
		if (command_in_group(*c, group))
			entry(out, (*c)->name, (*c)->summary);
	fprintf(out, "\n'%s help %s COMMAND' tells more about a command.\n", program->self->name,
		group);
}
