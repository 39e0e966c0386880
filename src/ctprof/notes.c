// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/notes.h"

#include <stdarg.h>

#include "util/cleanup.h"
#include "util/strbuf.h"

void notes_done(struct snapshot_notes *notes)
{
	strv_done(&notes->list);
	notes->left_out = 0;
}

void notes_add(struct snapshot_notes *notes, const char *fmt, ...)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	va_list ap;

	if (!notes)
		return;
	if (notes->list.n == NOTES_MAX) {
		notes->left_out++;
		return;
	}
	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	strv_add(&notes->list, text.s);
}
