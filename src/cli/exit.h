/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CLI_EXIT_H
#define CLI_EXIT_H

enum exit_code {
#define EXIT_CODE(id, number, words) EXIT_##id = (number),
#include "cli/exit.def"
#undef EXIT_CODE
};

#endif
