/* SPDX-License-Identifier: GPL-2.0-only */
/* Other programs in a test: compilers, and what we are compared with. */
#ifndef TESTS_SHELL_H
#define TESTS_SHELL_H

#include <stdio.h>
#include <stdlib.h>

#include "unit.h"
#include "util/strbuf.h"

/* Runs a line of sh, which must succeed, and appends what it prints to @out, which may be NULL. */
static inline void shell(struct strbuf *out, const char *fmt, ...) _printf_(2, 3);
static inline void shell(struct strbuf *out, const char *fmt, ...)
{
	struct strbuf line = STRBUF_INIT;
	char buf[4096];
	va_list ap;
	FILE *pipe;
	size_t n;

	va_start(ap, fmt);
	strbuf_vaddf(&line, fmt, ap);
	va_end(ap);
	pipe = popen(line.s, "r");
	assert_non_null(pipe);
	while ((n = fread(buf, 1, sizeof(buf), pipe)))
		if (out)
			strbuf_add(out, buf, n);
	if (pclose(pipe) != 0)
		fail_msg("this failed: %s", line.s);
	strbuf_done(&line);
}

#endif
