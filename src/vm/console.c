// SPDX-License-Identifier: GPL-2.0-only
#include "vm/console.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

void console_done(struct console *c)
{
	free(c->ring);
	*c = (struct console){};
}

static const struct {
	const char *words;
	enum vm_ended ended;
} signs[] = {
#define SIGN(words, id) { words, VM_ENDED_##id },
#include "vm/signs.def"
#undef SIGN
};

static void judge_line(struct console *c, bool emulated)
{
	c->line[c->line_len] = '\0';
	if (strstr(c->line, "as init process"))
		c->init_ran = true;
	for (size_t i = 0; i < ARRAY_SIZE(signs) && c->sign == VM_ENDED_POWEROFF; i++) {
		if (signs[i].ended == VM_ENDED_EMULATOR && !emulated)
			continue;
		if (!strstr(c->line, signs[i].words))
			continue;
		c->sign = signs[i].ended;
		memcpy(c->sign_line, c->line, c->line_len + 1);
	}
	c->line_len = 0;
}

static void keep(struct console *c, struct slice bytes)
{
	size_t at, first;

	if (!c->ring)
		c->ring = xmalloc(CONSOLE_TAIL_BYTES);
	if (bytes.n > CONSOLE_TAIL_BYTES) {
		c->seen += bytes.n - CONSOLE_TAIL_BYTES;
		bytes.s += bytes.n - CONSOLE_TAIL_BYTES;
		bytes.n = CONSOLE_TAIL_BYTES;
	}
	at = c->seen % CONSOLE_TAIL_BYTES;
	first = CONSOLE_TAIL_BYTES - at < bytes.n ? CONSOLE_TAIL_BYTES - at : bytes.n;
	memcpy(c->ring + at, bytes.s, first);
	memcpy(c->ring, bytes.s + first, bytes.n - first);
	c->seen += bytes.n;
}

void console_feed(struct console *c, struct slice bytes, bool emulated)
{
	if (!bytes.n)
		return;
	keep(c, bytes);
	for (size_t i = 0; i < bytes.n; i++) {
		char b = bytes.s[i];

		/* A line that is too long is judged by its front. NUL would hide what follows. */
		if (b == '\n')
			judge_line(c, emulated);
		else if (b != '\r' && b != '\0' && c->line_len < sizeof(c->line) - 1)
			c->line[c->line_len++] = b;
	}
}

void console_tail(const struct console *c, struct strbuf *out)
{
	size_t at = c->seen % CONSOLE_TAIL_BYTES, start = out->len;
	char *end;

	if (c->seen <= CONSOLE_TAIL_BYTES) {
		strbuf_add(out, c->ring, (size_t)c->seen);
		return;
	}
	strbuf_add(out, c->ring + at, CONSOLE_TAIL_BYTES - at);
	strbuf_add(out, c->ring, at);
	/* The first line is cut. */
	end = memchr(out->s + start, '\n', out->len - start);
	if (end) {
		size_t drop = (size_t)(end + 1 - (out->s + start));

		memmove(out->s + start, end + 1, out->len - start - drop);
		strbuf_setlen(out, out->len - drop);
	}
}
