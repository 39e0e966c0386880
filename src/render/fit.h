/* SPDX-License-Identifier: GPL-2.0-only */
/* Which columns give way when a table is wider than the terminal. */
#ifndef RENDER_FIT_H
#define RENDER_FIT_H

#include <stdbool.h>
#include <stddef.h>

struct fit {
	size_t width; /* in: of the widest cell; out: to be used */
	size_t least; /* never narrower than this */
	bool first;   /* gives way before the others */
	size_t word;  /* not narrower than this either if all columns can keep theirs */
};

/* Narrows columns until their widths sum up to @room, the widest first, those marked `first` before
 * all others. Where even the least widths do not fit, the sum stays above @room. */
void fit_columns(struct fit *columns, size_t n, size_t room);

#endif
