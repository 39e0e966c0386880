// SPDX-License-Identifier: GPL-2.0-only
#include "cli/man.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "cli/help.h"
#include "cli/man_parts.h"
#include "util/cleanup.h"

#define FORMAT_SUFFIX ".5"

void man_literal(FILE *out, const char *text)
{
	for (const char *s = text; *s; s++) {
		if (strchr("\\*_#|[];<~", *s))
			fputc('\\', out);
		fputc(*s, out);
	}
}

void man_sentence(FILE *out, const char *text)
{
	if (!*text)
		return;
	fputc(toupper((unsigned char)*text), out);
	man_literal(out, text + 1);
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
	const char *program = p->program->self->name;
	int suffix = p->command ? 0 : (int)strlen(FORMAT_SUFFIX);

	fprintf(p->out, "%.*s(%s) \"%s %s\" \"%s manual\"\n", (int)strlen(p->name) - suffix,
		p->name, p->command ? "1" : &FORMAT_SUFFIX[1], program, p->version, program);
}

static void put_name(const struct page *p)
{
	fprintf(p->out, "%s - ", p->name);
	man_literal(p->out, p->command->summary);
	fputc('\n', p->out);
}

static void put_synopsis(const struct page *p)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

	help_synopsis(p->program, p->command, &text);
	man_literal(p->out, text.s);
	fputc('\n', p->out);
}

static void put_description(const struct page *p)
{
	man_literal(p->out, p->command->description);
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
		man_sentence(p->out, text.s);
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
		man_sentence(p->out, text.s);
		fputc('\n', p->out);
	}
}

static void put_commands(const struct page *p)
{
	for_each_command (p->program, c) {
		_cleanup_(strbuf_done) struct strbuf name = STRBUF_INIT;

		page_name(p->program, *c, &name);
		fprintf(p->out, "*%s*(1)\n\t", name.s);
		man_sentence(p->out, (*c)->summary);
		fputc('\n', p->out);
	}
}

static void put_variable(FILE *out, const char *name, const char *def, const char *text)
{
	fputc('*', out);
	man_literal(out, name);
	fputs("*\n\t", out);
	man_sentence(out, text);
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
	man_sentence(out, text);
	fputc('\n', out);
}

static void put_exit_status(const struct page *p)
{
#define EXIT_CODE(id, number, text) put_status(p->out, number, text);
#include "cli/exit.def"
#undef EXIT_CODE
}

static const struct man_part parts[] = {
	{ "@HEADER@\n", put_header },
	{ "@NAME@\n", put_name, true },
	{ "@SYNOPSIS@\n", put_synopsis, true },
	{ "@DESCRIPTION@\n", put_description, true },
	{ "@OPTIONS@\n", put_options, true },
	{ "@COMMANDS@\n", put_commands },
	{ "@ENVIRONMENT@\n", put_environment },
	{ "@EXIT_STATUS@\n", put_exit_status },
	{},
};

static const struct man_part *find_part(const struct page *p, const struct man_part *list,
					const char *line)
{
	for (; list->line; list++)
		if (strcmp(list->line, line) == 0 && (p->command || !list->of_command))
			return list;
	return NULL;
}

static int put_line(const struct page *p, const char *line, struct err *err)
{
	const struct man_part *part = find_part(p, parts, line);
	size_t n = strlen(line);

	if (!part)
		part = find_part(p, man_format_parts, line);
	if (part)
		part->put(p);
	else if (n > 2 && line[0] == '@' && line[n - 2] == '@')
		return err_set(err, -EINVAL, "nothing to fill in for %.*s", (int)n - 1, line);
	else
		fputs(line, p->out);
	return 0;
}

static bool is_format(const char *page)
{
	size_t n = strlen(page), suffix = strlen(FORMAT_SUFFIX);

	return n > suffix && strcmp(page + n - suffix, FORMAT_SUFFIX) == 0;
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

	if (!p.command && !is_format(page))
		return err_set(err, -EINVAL, "'%s' is no command", page);
	while (r == 0 && getline(&line, &cap, in) > 0)
		r = put_line(&p, line, err);
	return r;
}
