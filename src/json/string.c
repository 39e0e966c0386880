// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>

#include "util/escape.h"
#include "json/input.h"
#include "json/scan.h"

static int too_long(struct json_reader *r, uint64_t offset)
{
	return json_fail_at(r, offset, -E2BIG, "a string of more than %zu bytes",
			    r->limits.string_bytes);
}

static void add_utf8(struct strbuf *sb, uint32_t cp)
{
	unsigned more = cp < 0x80 ? 0 : cp < 0x800 ? 1 : cp < 0x10000 ? 2 : 3;

	if (!more) {
		strbuf_addch(sb, (char)cp);
		return;
	}
	strbuf_addch(sb, (char)((0xf80 >> more) | cp >> 6 * more));
	while (more--)
		strbuf_addch(sb, (char)(0x80 | (cp >> 6 * more & 0x3f)));
}

/* Four hexadecimal digits, @at bytes behind r->p. */
static int read_hex(struct json_reader *r, size_t at, uint32_t *ret)
{
	uint32_t v = 0;

	for (size_t i = at; i < at + 4; i++) {
		char c, lower;

		if (json_ahead(r, i + 1) <= i)
			return json_fail_at_end(r, "a hexadecimal digit");
		c = r->p[i];
		lower = (char)(c | 0x20);
		if (c >= '0' && c <= '9') {
			v = v << 4 | (uint32_t)(c - '0');
		} else if (lower >= 'a' && lower <= 'f') {
			v = v << 4 | (uint32_t)(lower - 'a' + 10);
		} else {
			r->p += i;
			return json_unexpected(r, "a hexadecimal digit");
		}
	}
	*ret = v;
	return 0;
}

/* A code point past U+FFFF is written as two escapes, neither of which means anything alone. */
static int decode_unicode(struct json_reader *r, struct strbuf *sb)
{
	uint32_t cp, low = 0;
	size_t n = 6, have;

	if (read_hex(r, 2, &cp) < 0)
		return r->error;
	if (cp >= 0xd800 && cp < 0xdc00) {
		have = json_ahead(r, 8);
		if (have < 8 && memcmp(r->p + 6, "\\u", have - 6) == 0)
			return json_fail_at_end(r, "the second half of a surrogate pair");
		if (have >= 8 && memcmp(r->p + 6, "\\u", 2) == 0 && read_hex(r, 8, &low) < 0)
			return r->error;
		n = 12;
	}
	if (cp >= 0xd800 && cp < 0xe000 && !(low >= 0xdc00 && low < 0xe000))
		return json_fail(r, -EBADMSG, "\\u%04x is half of a surrogate pair", cp);
	if (low)
		cp = 0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00);
	add_utf8(sb, cp);
	r->p += n;
	return 0;
}

static int decode_escape(struct json_reader *r, struct strbuf *sb)
{
	static const char names[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
	const char *name;

	if (json_ahead(r, 2) < 2)
		return json_fail_at_end(r, "an escape sequence");
	if (r->p[1] == 'u')
		return decode_unicode(r, sb);
	name = memchr(names, r->p[1], sizeof(names) - 1);
	if (!name) {
		r->p++;
		return json_unexpected(r, "one of \"\\/bfnrtu behind a backslash");
	}
	strbuf_addch(sb, bytes[name - names]);
	r->p += 2;
	return 0;
}

static int decode_multibyte(struct json_reader *r, struct strbuf *sb)
{
	size_t have = json_ahead(r, 4), n;
	uint32_t cp;

	n = utf8_decode((struct slice){ r->p, have }, &cp);
	if (!n && have < 4 && r->end_code < 0)
		return json_fail_at_end(r, "a character");
	if (!n)
		return json_fail(r, -EBADMSG, "byte 0x%02x is not valid UTF-8",
				 (unsigned char)*r->p);
	strbuf_add(sb, r->p, n);
	r->p += n;
	return 0;
}

static int decode_special(struct json_reader *r, struct strbuf *sb)
{
	unsigned char c = (unsigned char)*r->p;

	if (c == '\\')
		return decode_escape(r, sb);
	if (c >= 0x80)
		return decode_multibyte(r, sb);
	return json_fail(r, -EBADMSG, "control byte 0x%02x inside a string must be escaped", c);
}

/* The general way, piece by piece into r->decoded. */
static int decode_string(struct json_reader *r, struct slice *ret)
{
	uint64_t offset = json_offset(r);
	struct strbuf *sb = &r->decoded;

	strbuf_reset(sb);
	r->p++;
	for (;;) {
		size_t n;

		if (!json_ahead(r, 1))
			return json_fail_at_end(r, "the closing quote of a string");
		n = (size_t)(json_find_special(r->p, r->end) - r->p);
		if (n > r->limits.string_bytes || sb->len > r->limits.string_bytes - n)
			return too_long(r, offset);
		strbuf_add(sb, r->p, n);
		r->p += n;
		if (r->p == r->end)
			continue;
		if (*r->p == '"')
			break;
		if (decode_special(r, sb) < 0)
			return r->error;
	}
	r->p++;
	*ret = strbuf_slice(sb);
	return 0;
}

/* The usual string stands in the window as a whole, without escapes, and is not copied. */
int json_scan_string(struct json_reader *r, struct slice *ret)
{
	const char *s = r->p + 1, *q = s;
	uint32_t cp;
	size_t n;

	for (;; q += n) {
		q = json_find_special(q, r->end);
		if (q == r->end || (unsigned char)*q < 0x80)
			break;
		n = utf8_decode((struct slice){ q, (size_t)(r->end - q) }, &cp);
		if (!n)
			break;
	}
	if (q == r->end || *q != '"')
		return decode_string(r, ret);
	n = (size_t)(q - s);
	if (n > r->limits.string_bytes)
		return too_long(r, json_offset(r));
	r->p = q + 1;
	*ret = (struct slice){ s, n };
	return 0;
}
