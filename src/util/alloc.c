// SPDX-License-Identifier: LGPL-2.1-or-later
#include "util/alloc.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_noreturn_ static void out_of_memory(void)
{
	static const char text[] = "ktstr: out of memory\n";

	/* Nothing is left to do if stderr is closed as well. */
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(3);
	_exit(3);
}

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xreallocarray(void *p, size_t n, size_t size)
{
	void *bigger = reallocarray(p, n ? n : 1, size ? size : 1);

	if (!bigger)
		out_of_memory();
	return bigger;
}

char *xstrdup(const char *s)
{
	return xstrndup(s, strlen(s));
}

char *xstrndup(const char *s, size_t n)
{
	char *copy;

	n = strnlen(s, n);
	copy = xmalloc(n + 1);
	memcpy(copy, s, n);
	copy[n] = '\0';
	return copy;
}
