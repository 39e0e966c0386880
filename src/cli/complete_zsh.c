// SPDX-License-Identifier: GPL-2.0-only
#include "cli/complete.h"

void complete_zsh(const struct program *program, FILE *out)
{
	for_each_command (program, c)
		fprintf(out, "%s\n", (*c)->name);
}
