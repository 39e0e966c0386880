// SPDX-License-Identifier: GPL-2.0-only
#include "cli/common.h"

const struct choice color_choices[] = {
#define COLOR_MODE(id, name, words) { name, COLOR_MODE_##id },
#include "render/color.def"
#undef COLOR_MODE
	{},
};

const struct choice formats[] = {
#define RENDER_FORMAT(id, name, words) { name, RENDER_##id },
#include "render/format.def"
#undef RENDER_FORMAT
	{},
};

const struct choice formats_without_rows[] = {
#define RENDER_FORMAT(id, name, words) { name, RENDER_##id },
#define RENDER_FORMAT_ROWS(id, name, words)
#include "render/format.def"
#undef RENDER_FORMAT
	{},
};
