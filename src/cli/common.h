/* SPDX-License-Identifier: GPL-2.0-only */
/* Option rows that several commands share, so that they mean the same everywhere. */
#ifndef CLI_COMMON_H
#define CLI_COMMON_H

#include "cli/option.h"
#include "render/terminal.h"

/* The target is an enum color_mode of render/terminal.h. */
#define OPT_COLOR(target)                                                                          \
	OPT_CHOICE(0, "color", target, "WHEN", color_choices, COLOR_MODE_AUTO, "colour the output")

extern const struct choice color_choices[];

/* All formats, and those for a result that is no list of rows. */
extern const struct choice formats[];
extern const struct choice formats_without_rows[];

/* The target is an enum render_format of render/render.h, @choices one of the lists above. */
#define OPT_FORMAT(target, choices)                                                                \
	OPT_CHOICE(0, "format", target, "FORMAT", choices, RENDER_TABLE, "how to print the result")

/* The target is a const char *, for sysroot_open(). */
#define OPT_SYSROOT(target, ...)                                                                   \
	OPT_STRING(0, "sysroot", target, "DIR", "/",                                               \
		   "look at the tree below DIR instead of this machine", .complete = COMPLETE_DIR, \
		   __VA_ARGS__)

#endif
