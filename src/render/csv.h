/* SPDX-License-Identifier: GPL-2.0-only */
/* Several views as one CSV table, as render_document() describes it. */
#ifndef RENDER_CSV_H
#define RENDER_CSV_H

#include <stddef.h>
#include <stdio.h>

#include "render/cell.h"
#include "util/compiler.h"

_must_check_ int csv_write_sections(const struct view *views, size_t n, FILE *out);

#endif
