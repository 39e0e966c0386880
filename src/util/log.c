// SPDX-License-Identifier: LGPL-2.1-or-later
#include "util/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/cleanup.h"
#include "util/escape.h"
#include "util/strbuf.h"

static const char *const names[LOG_LEVEL_COUNT] = {
	[LOG_LEVEL_ERROR] = "error",
	[LOG_LEVEL_WARN] = "warn",
	[LOG_LEVEL_INFO] = "info",
	[LOG_LEVEL_DEBUG] = "debug",
};

static enum log_level max_level = LOG_LEVEL_INFO;

void log_set_level(enum log_level level)
{
	max_level = level;
}

bool log_enabled(enum log_level level)
{
	return level <= max_level;
}

int log_level_parse(const char *name, enum log_level *ret)
{
	for (int i = 0; i < LOG_LEVEL_COUNT; i++)
		if (strcmp(names[i], name) == 0) {
			*ret = (enum log_level)i;
			return 0;
		}
	return -EINVAL;
}

void log_line(enum log_level level, const char *fmt, ...)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
	va_list ap;

	if (!log_enabled(level))
		return;
	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	strbuf_addstr(&out, "ktstr: ");
	if (level != LOG_LEVEL_INFO)
		strbuf_addf(&out, "%s: ", names[level]);
	escape_text(&out, strbuf_slice(&text));
	strbuf_addch(&out, '\n');
	/* One write a line, so lines of several processes do not mix. */
	fwrite(out.s, 1, out.len, stderr);
}
