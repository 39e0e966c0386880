// SPDX-License-Identifier: GPL-2.0-only
#include "cli/command.h"

#include <string.h>

#include "util/alloc.h"

const char *command_in_group(const struct command *command, const char *group)
{
	size_t n = strlen(group);

	if (n && strncmp(command->name, group, n) == 0 && command->name[n] == ' ')
		return command->name + n + 1;
	return NULL;
}

enum command_match command_find(const struct program *program, char *const *words, size_t n,
				const struct command **ret_command, size_t *ret_used)
{
	bool group = false;

	for_each_command (program, c) {
		const char *rest = command_in_group(*c, words[0]);

		group = group || rest;
		if (rest ? n > 1 && strcmp(rest, words[1]) == 0
			 : strcmp((*c)->name, words[0]) == 0) {
			*ret_command = *c;
			*ret_used = rest ? 2 : 1;
			return COMMAND_FOUND;
		}
	}
	return group ? COMMAND_GROUP : COMMAND_UNKNOWN;
}

/* Length of the first of two words; 0 when there is only one. */
static size_t group_len(const struct command *command)
{
	const char *space = strchr(command->name, ' ');

	return space ? (size_t)(space - command->name) : 0;
}

void command_groups(const struct program *program, struct strv *ret)
{
	strv_add(ret, "");
	for_each_command (program, c) {
		size_t n = group_len(*c);
		bool known = n == 0;

		for (size_t i = 0; i < ret->n && !known; i++)
			known = command_in_group(*c, ret->v[i]);
		if (!known)
			strv_addf(ret, "%.*s", (int)n, (*c)->name);
	}
}

void command_words(const struct program *program, const char *group, struct command_words *ret)
{
	for_each_command (program, c) {
		size_t n = *group ? 0 : group_len(*c);
		const char *word = *group ? command_in_group(*c, group) : (*c)->name;
		size_t len = n ? n : word ? strlen(word) : 0;
		bool known = !word;

		for (size_t i = 0; i < ret->list.n && !known; i++)
			known = strncmp(ret->list.v[i].word, word, len) == 0 &&
				!ret->list.v[i].word[len];
		if (!known)
			vec_push(&ret->list,
				 (struct command_word){ xstrndup(word, len),
							n ? "group of commands" : (*c)->summary });
	}
}

void command_words_done(struct command_words *words)
{
	for (size_t i = 0; i < words->list.n; i++)
		free(words->list.v[i].word);
	vec_done(&words->list);
}
