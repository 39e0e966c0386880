// SPDX-License-Identifier: LGPL-2.1-or-later
#include "json/input.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/alloc.h"

static void init(struct json_reader *r, const struct json_limits *limits, struct err *err)
{
	*r = (struct json_reader){ .decoded = STRBUF_INIT, .value_due = true, .err = err };
	if (limits)
		r->limits = *limits;
	if (!r->limits.depth)
		r->limits.depth = JSON_READER_DEPTH;
	if (!r->limits.bytes)
		r->limits.bytes = UINT64_C(1) << 30;
	if (!r->limits.string_bytes)
		r->limits.string_bytes = 1u << 20;
	if (!r->limits.blank_bytes)
		r->limits.blank_bytes = 64u << 10;
	assert(r->limits.depth <= JSON_READER_DEPTH);
}

void json_reader_init(struct json_reader *r, json_fill *fill, void *ctx,
		      const struct json_limits *limits, struct err *err)
{
	init(r, limits, err);
	r->fill = fill;
	r->ctx = ctx;
	r->window = xmalloc(JSON_WINDOW);
	r->start = r->p = r->end = r->window;
	r->bytes_left = r->limits.bytes;
}

void json_reader_init_slice(struct json_reader *r, struct slice document,
			    const struct json_limits *limits, struct err *err)
{
	init(r, limits, err);
	r->ended = true;
	if (document.n > r->limits.bytes) {
		document.n = r->limits.bytes;
		r->end_code = -E2BIG;
	}
	/* An empty slice may have no address. */
	r->start = r->p = document.n ? document.s : "";
	r->end = r->p + document.n;
}

void json_reader_done(struct json_reader *r)
{
	free(r->window);
	r->window = NULL;
	strbuf_done(&r->decoded);
}

static void end_input(struct json_reader *r, int code)
{
	r->ended = true;
	r->end_code = code;
}

/* At the limit the document may also just end. */
static void probe_end(struct json_reader *r)
{
	char byte;
	ssize_t n = r->fill(r->ctx, &byte, 1);

	end_input(r, n > 0 ? -E2BIG : (int)n);
}

static void fill_window(struct json_reader *r)
{
	size_t kept = (size_t)(r->end - r->p), room = JSON_WINDOW - kept;
	ssize_t n;

	if (r->p != r->window) {
		memmove(r->window, r->p, kept);
		r->start_offset += (uint64_t)(r->p - r->window);
		r->p = r->window;
		r->end = r->window + kept;
	}
	if (!r->bytes_left) {
		probe_end(r);
		return;
	}
	if (room > r->bytes_left)
		room = (size_t)r->bytes_left;
	n = r->fill(r->ctx, r->window + kept, room);
	if (n <= 0) {
		end_input(r, (int)n);
		return;
	}
	assert((size_t)n <= room);
	r->bytes_left -= (uint64_t)n;
	r->end += n;
}

size_t json_refill(struct json_reader *r, size_t n)
{
	while ((size_t)(r->end - r->p) < n && !r->ended)
		fill_window(r);
	return (size_t)(r->end - r->p);
}

int json_skip_blank_slow(struct json_reader *r)
{
	size_t run = 0;

	for (; json_ahead(r, 1); r->p++) {
		char c = *r->p;

		if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
			return 0;
		if (run++ == r->limits.blank_bytes)
			return json_fail(r, -E2BIG, "more than %zu bytes of white space in a row",
					 r->limits.blank_bytes);
		/* No other place of a valid document holds a newline. */
		if (c == '\n') {
			r->line++;
			r->line_offset = json_offset(r) + 1;
		}
	}
	return 0;
}

uint64_t json_position(const struct json_reader *r)
{
	return json_offset(r);
}

static int fail(struct json_reader *r, uint64_t offset, int code, const char *fmt, va_list ap)
	_printf_(4, 0);

static int fail(struct json_reader *r, uint64_t offset, int code, const char *fmt, va_list ap)
{
	char text[sizeof(r->err->text)];

	if (r->error)
		return r->error;
	r->error = code;
	vsnprintf(text, sizeof(text), fmt, ap);
	return err_set(r->err, code, "byte %" PRIu64 " (line %" PRIu64 ", column %" PRIu64 "): %s",
		       offset, r->line + 1, offset - r->line_offset + 1, text);
}

int json_fail(struct json_reader *r, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	code = fail(r, json_offset(r), code, fmt, ap);
	va_end(ap);
	return code;
}

int json_fail_at(struct json_reader *r, uint64_t offset, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	code = fail(r, offset, code, fmt, ap);
	va_end(ap);
	return code;
}

int json_fail_at_end(struct json_reader *r, const char *expected)
{
	r->p = r->end;
	if (r->end_code == -E2BIG && !r->bytes_left)
		return json_fail(r, -E2BIG, "the document has more than %" PRIu64 " bytes",
				 r->limits.bytes);
	if (r->end_code < 0)
		return json_fail(r, r->end_code, "cannot read on: %s", strerror(-r->end_code));
	return json_fail(r, -EBADMSG, "expected %s, found the end", expected);
}

/* Says what stands at r->p in up to 32 bytes. */
static const char *describe(struct json_reader *r, char text[32])
{
	size_t n, have = json_ahead(r, 24);
	unsigned char c = (unsigned char)*r->p;

	switch (c) {
	case '"':
		return "a string";
	case '{':
		return "an object";
	case '[':
		return "an array";
	}
	/* Numbers and words are shown, anything else by its first byte. */
	for (n = 0; n < have && n < 24; n++) {
		char b = r->p[n];

		if (!((b >= '0' && b <= '9') || (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') ||
		      b == '-' || b == '+' || b == '.'))
			break;
	}
	if (n)
		snprintf(text, 32, "%.*s%s", (int)n, r->p, n == 24 ? "..." : "");
	else if (c > ' ' && c < 0x7f)
		snprintf(text, 32, "'%c'", c);
	else
		snprintf(text, 32, "byte 0x%02x", c);
	return text;
}

int json_unexpected(struct json_reader *r, const char *expected)
{
	char text[32];

	if (r->error)
		return r->error;
	if (!json_ahead(r, 1))
		return json_fail_at_end(r, expected);
	return json_fail(r, -EBADMSG, "expected %s, found %s", expected, describe(r, text));
}
