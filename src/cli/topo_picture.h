/* SPDX-License-Identifier: GPL-2.0-only */
/* A machine as text: frames within frames, or one line per LLC where frames would not fit. Pure. */
#ifndef CLI_TOPO_PICTURE_H
#define CLI_TOPO_PICTURE_H

#include <stdio.h>

#include "cli/block.h"
#include "sys/topology.h"

/* Summary, caches, CPU ids, the picture, and distances between nodes. */
void topo_show(const struct topology *t, size_t width, enum frame_style style, FILE *out);

/* The nodes as frames: false, and nothing, when @width is too narrow or the picture would be longer
 * than anybody looks at. */
bool topo_picture(const struct topology *t, size_t width, enum frame_style style,
		  struct block *ret);

#endif
