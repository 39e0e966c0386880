// SPDX-License-Identifier: GPL-2.0-only
#include "cli/man.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "cli/help.h"
#include "util/cleanup.h"

struct page {
	const struct program *program;
	const struct command *command;
	const char *name;
	const char *version;
	FILE *out;
};

/* Text that means nothing to scdoc. */
static void literal(FILE *out, const char *text)
{
	for (const char *s = text; *s; s++) {
		if (strchr("\\*_#|[];<~", *s))
			fputc('\\', out);
		fputc(*s, out);
	}
}

/* A help text as a sentence. */
static void sentence(FILE *out, const char *text)
{
	if (!*text)
		return;
	fputc(toupper((unsigned char)*text), out);
	literal(out, text + 1);
	fputs(text[strlen(text) - 1] == '.' ? "\n" : ".\n", out);
}

/* "kernel build" as part of a page's name. */
static void dashed(struct strbuf *out, const char *name)
{
	for (; *name; name++)
		strbuf_addch(out, *name == ' ' ? '-' : *name);
}

static void page_name(const struct program *program, const struct command *command,
		      struct strbuf *out)
{
	strbuf_addstr(out, program->self->name);
	if (command != program->self) {
		strbuf_addch(out, '-');
		dashed(out, command->name);
	}
}

static void put_header(const struct page *p)
{
	fprintf(p->out, "%s(1) \"%s %s\" \"%s manual\"\n", p->name, p->program->self->name,
		p->version, p->program->self->name);
}

static void put_name(const struct page *p)
{
	fprintf(p->out, "%s - ", p->name);
	literal(p->out, p->command->summary);
	fputc('\n', p->out);
}

static void put_synopsis(const struct page *p)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

	help_synopsis(p->program, p->command, &text);
	literal(p->out, text.s);
	fputc('\n', p->out);
}

static void put_description(const struct page *p)
{
	literal(p->out, p->command->description);
	fputc('\n', p->out);
}

static void put_options(const struct page *p)
{
	for_each_operand (p->command->operands, o) {
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

		if (!o->choices)
			continue;
		strbuf_addstr(&text, "one of ");
		choices_list(o->choices, &text);
		fprintf(p->out, "_%s_\n\t", o->name);
		sentence(p->out, text.s);
		fputc('\n', p->out);
	}
	for_each_option (p->command->options, o) {
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

		if (o->letter)
			fprintf(p->out, "*-%c*, ", o->letter);
		fprintf(p->out, "*--%s*", o->name);
		if (o->arg)
			fprintf(p->out, "=_%s_", o->arg);
		fputs("\n\t", p->out);
		help_option_text(o, &text);
		sentence(p->out, text.s);
		fputc('\n', p->out);
	}
}

static void put_commands(const struct page *p)
{
	for_each_command (p->program, c) {
		_cleanup_(strbuf_done) struct strbuf name = STRBUF_INIT;

		page_name(p->program, *c, &name);
		fprintf(p->out, "*%s*(1)\n\t", name.s);
		sentence(p->out, (*c)->summary);
		fputc('\n', p->out);
	}
}

static void put_variable(FILE *out, const char *name, const char *def, const char *text)
{
	fputc('*', out);
	literal(out, name);
	fputs("*\n\t", out);
	sentence(out, text);
	if (*def)
		fprintf(out, "\tDefault: %s.\n", def);
	fputc('\n', out);
}

static void put_environment(const struct page *p)
{
#define ENV(name, def, text) put_variable(p->out, #name, def, text);
#include "cli/env.def"
#undef ENV
}

static void put_status(FILE *out, int number, const char *text)
{
	fprintf(out, "*%d*\n\t", number);
	sentence(out, text);
	fputc('\n', out);
}

static void put_exit_status(const struct page *p)
{
#define EXIT_CODE(id, number, text) put_status(p->out, number, text);
#include "cli/exit.def"
#undef EXIT_CODE
}

static const struct part {
	const char *line;
	void (*put)(const struct page *p);
} parts[] = {
	{ "@HEADER@\n", put_header },           { "@NAME@\n", put_name },
	{ "@SYNOPSIS@\n", put_synopsis },       { "@DESCRIPTION@\n", put_description },
	{ "@OPTIONS@\n", put_options },         { "@COMMANDS@\n", put_commands },
	{ "@ENVIRONMENT@\n", put_environment }, { "@EXIT_STATUS@\n", put_exit_status },
};

static int put_line(const struct page *p, const char *line, struct err *err)
{
	size_t n = strlen(line);

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (strcmp(parts[i].line, line) == 0) {
			parts[i].put(p);
			return 0;
		}
	if (n > 2 && line[0] == '@' && line[n - 2] == '@')
		return err_set(err, -EINVAL, "nothing to fill in for %.*s", (int)n - 1, line);
	fputs(line, p->out);
	return 0;
}

static const struct command *find(const struct program *program, const char *page)
{
	_cleanup_(strbuf_done) struct strbuf name = STRBUF_INIT;

	if (strcmp(page, program->self->name) == 0)
		return program->self;
	for_each_command (program, c) {
		strbuf_reset(&name);
		page_name(program, *c, &name);
		if (strcmp(page, name.s) == 0)
			return *c;
	}
	return NULL;
}

int man_page(const struct program *program, const char *page, const char *version, FILE *in,
	     FILE *out, struct err *err)
{
	struct page p = { program, find(program, page), page, version, out };
	_cleanup_free_ char *line = NULL;
	size_t cap = 0;
	int r = 0;

	if (!p.command)
		return err_set(err, -EINVAL, "'%s' is no command", page);
	while (r == 0 && getline(&line, &cap, in) > 0)
		r = put_line(&p, line, err);
	return r;
}
