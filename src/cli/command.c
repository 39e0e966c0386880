// SPDX-License-Identifier: GPL-2.0-only
#include "cli/command.h"

#include <string.h>

const char *command_in_group(const struct command *command, const char *group, size_t n)
{
	if (strncmp(command->name, group, n) == 0 && command->name[n] == ' ')
		return command->name + n + 1;
	return NULL;
}

size_t command_opens_group(const struct program *program, const struct command *command)
{
	size_t n = strcspn(command->name, " ");

	if (!command->name[n])
		return 0;
	for_each_command (program, c) {
		if (*c == command)
			return n;
		if (command_in_group(*c, command->name, n))
			return 0;
	}
	return 0;
}

enum command_match command_find(const struct program *program, char *const *words, size_t n,
				const struct command **ret_command, size_t *ret_used)
{
	size_t len = strlen(words[0]);
	bool group = false;

	for_each_command (program, c) {
		const char *rest = command_in_group(*c, words[0], len);
		size_t used = rest ? 2 : 1;

		group = group || rest;
		if (rest ? n > 1 && strcmp(rest, words[1]) == 0
			 : strcmp((*c)->name, words[0]) == 0) {
			*ret_command = *c;
			*ret_used = used;
			return COMMAND_FOUND;
		}
	}
	*ret_used = group;
	return group ? COMMAND_GROUP : COMMAND_UNKNOWN;
}
