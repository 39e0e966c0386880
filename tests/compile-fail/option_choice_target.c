// expect: incompatible (types|pointer)|incompatible type
// SPDX-License-Identifier: GPL-2.0-only
#include "cli/option.h"

enum format {
	FORMAT_TEXT,
	FORMAT_JSON,
};

#ifdef WRONG
static bool target;
#else
static enum format target;
#endif

static const struct choice formats[] = { { "text", FORMAT_TEXT }, { "json", FORMAT_JSON }, {} };

extern const struct option row;

const struct option row = OPT_CHOICE('x', "x", &target, "X", formats, FORMAT_TEXT, "");
