// SPDX-License-Identifier: GPL-2.0-only
/* genman VERSION PAGE <PAGE.1.scd.in >PAGE.1.scd: used by the build, not installed. */
#include <stdio.h>

#include "cli/man.h"
#include "cli/output.h"
#include "cli/program.h"
#include "util/log.h"

int main(int argc, char **argv)
{
	struct err err;

	if (argc != 3)
		return EXIT_USAGE;
	if (man_page(&ktstr_program, argv[2], argv[1], stdin, stdout, &err) < 0) {
		log_error("%s: %s", argv[2], err.text);
		return EXIT_DATA;
	}
	return output_finish(EXIT_OK);
}
