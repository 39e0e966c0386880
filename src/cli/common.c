// SPDX-License-Identifier: GPL-2.0-only
#include "cli/common.h"

const struct choice color_choices[] = {
	{ "auto", COLOR_AUTO },
	{ "always", COLOR_ALWAYS },
	{ "never", COLOR_NEVER },
	{},
};
