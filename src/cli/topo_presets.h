/* SPDX-License-Identifier: GPL-2.0-only */
/* The machines that a VM can be asked for by name. */
#ifndef CLI_TOPO_PRESETS_H
#define CLI_TOPO_PRESETS_H

#include <stdio.h>

#include "render/render.h"

/* Prints them all: 0 or -errno of the stream. */
_must_check_ int topo_presets(enum render_format format, const struct table_options *table,
			      FILE *out);

#endif
