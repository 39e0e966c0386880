// SPDX-License-Identifier: GPL-2.0-only
#include "cli/complete.h"

#include <string.h>

#include "util/cleanup.h"

void complete_quoted(const char *text, FILE *out)
{
	fputc('\'', out);
	for (; *text; text++)
		if (*text == '\'')
			fputs("'\\''", out);
		else
			fputc(*text, out);
	fputc('\'', out);
}

void complete_choices(const struct choice *choices, FILE *out)
{
	for_each_choice (choices, c)
		fprintf(out, "%s%s", c == choices ? "" : " ", c->name);
}

void complete_body(const char *text, const char *name, FILE *out)
{
	const char *at;

	for (; (at = strstr(text, "NAME")); text = at + 4) {
		fwrite(text, 1, (size_t)(at - text), out);
		fputs(name, out);
	}
	fputs(text, out);
}

void complete_commands(const struct program *program, const char *group, FILE *out)
{
	_cleanup_(command_words_done) struct command_words words = {};

	command_words(program, group, &words);
	for (size_t i = 0; i < words.list.n; i++)
		fprintf(out, "%s%s", i ? " " : "", words.list.v[i].word);
}
