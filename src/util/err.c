// SPDX-License-Identifier: LGPL-2.1-or-later
#include "util/err.h"

#include <stdarg.h>
#include <stdio.h>

int err_set(struct err *err, int code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return code;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return code;
}

/* Cuts what does not fit. */
static void append(struct err *err, size_t at, const char *text)
{
	const char *parts[] = { ": ", text };

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		for (const char *s = parts[i]; *s && at < sizeof(err->text) - 1; s++)
			err->text[at++] = *s;
	err->text[at] = '\0';
}

int err_prefix(struct err *err, int code, const char *fmt, ...)
{
	struct err old;
	int n;
	va_list ap;

	if (!err)
		return code;
	old = *err;
	va_start(ap, fmt);
	n = vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n < sizeof(err->text))
		append(err, (size_t)n, old.text);
	return code;
}
