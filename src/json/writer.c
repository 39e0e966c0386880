// SPDX-License-Identifier: LGPL-2.1-or-later
#include "json/writer.h"

#include <assert.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/alloc.h"
#include "util/escape.h"
#include "util/numeric_locale.h"
#include "json/emit.h"

/* A comma, a newline, the deepest indentation, a bracket or a quote. */
#define LEAD_ROOM (2 * JSON_WRITER_DEPTH + 8)

/* Plain bytes of a string copied at once. */
#define COPY_MAX 4096

/* Two escapes of six bytes: a control past U+FFFF. */
#define SPECIAL_ROOM 12

void json_writer_init(struct json_writer *w, json_sink *sink, void *ctx, enum json_style style)
{
	*w = (struct json_writer){ .sink = sink, .ctx = ctx, .style = style };
	w->buf = xmalloc(JSON_WRITER_BUFFER);
}

int json_writer_finish(struct json_writer *w)
{
	assert(w->error || w->complete);
	if (w->style == JSON_INDENTED) {
		char *o = json_reserve(w, 1);

		*o++ = '\n';
		json_commit(w, o);
	}
	json_flush(w);
	json_writer_done(w);
	return w->error;
}

void json_writer_done(struct json_writer *w)
{
	free(w->buf);
	w->buf = NULL;
}

void json_flush(struct json_writer *w)
{
	if (!w->error && w->len)
		w->error = w->sink(w->ctx, w->buf, w->len);
	w->len = 0;
}

static uint64_t level_bit(const struct json_writer *w)
{
	return UINT64_C(1) << (w->depth - 1);
}

static char *put_newline(const struct json_writer *w, char *o)
{
	*o++ = '\n';
	memset(o, ' ', 2 * (size_t)w->depth);
	return o + 2 * (size_t)w->depth;
}

/* What stands before an element or a key of the open level. */
static char *put_separator(struct json_writer *w, char *o)
{
	uint64_t bit = level_bit(w);

	if (w->not_empty & bit)
		*o++ = ',';
	if (w->style == JSON_INDENTED && !(w->one_line & bit))
		o = put_newline(w, o);
	else if (w->style == JSON_INDENTED && (w->not_empty & bit))
		*o++ = ' ';
	w->not_empty |= bit;
	return o;
}

/* Room for the value itself, @n bytes, behind what has to stand before it. */
static char *begin_value(struct json_writer *w, size_t n)
{
	char *o = json_reserve(w, LEAD_ROOM + n);

	if (w->after_key) {
		w->after_key = false;
		return o;
	}
	if (w->depth) {
		assert(!(w->in_object & level_bit(w)));
		return put_separator(w, o);
	}
	assert(!w->complete);
	return o;
}

static void end_value(struct json_writer *w, const char *o)
{
	w->complete = !w->depth;
	json_commit(w, o);
}

static void begin_level(struct json_writer *w, char bracket, bool is_object)
{
	char *o = begin_value(w, 1);
	uint64_t bit;

	assert(w->depth < JSON_WRITER_DEPTH);
	*o++ = bracket;
	json_commit(w, o);
	w->depth++;
	bit = level_bit(w);
	w->not_empty &= ~bit;
	w->one_line &= ~bit;
	w->in_object = is_object ? w->in_object | bit : w->in_object & ~bit;
}

static void end_level(struct json_writer *w, char bracket, bool is_object)
{
	char *o = json_reserve(w, LEAD_ROOM);
	bool broken;

	assert(w->depth && !w->after_key);
	assert(!!(w->in_object & level_bit(w)) == is_object);
	broken = w->style == JSON_INDENTED && (w->not_empty & ~w->one_line & level_bit(w));
	w->depth--;
	if (broken)
		o = put_newline(w, o);
	*o++ = bracket;
	end_value(w, o);
}

void json_begin_object(struct json_writer *w)
{
	begin_level(w, '{', true);
}

void json_end_object(struct json_writer *w)
{
	end_level(w, '}', true);
}

void json_begin_array(struct json_writer *w)
{
	begin_level(w, '[', false);
}

void json_end_array(struct json_writer *w)
{
	end_level(w, ']', false);
}

void json_cpus(struct json_writer *w, const struct cpuset *cpus)
{
	json_begin_array(w);
	w->one_line |= level_bit(w);
	cpuset_for_each (cpus, cpu)
		json_u64(w, (uint64_t)cpu);
	json_end_array(w);
}

static char *put(char *o, struct slice s)
{
	memcpy(o, s.s, s.n);
	return o + s.n;
}

static char *put_hex(char *o, unsigned char byte)
{
	static const char digits[] = "0123456789abcdef";

	*o++ = digits[byte >> 4];
	*o++ = digits[byte & 15];
	return o;
}

static char *put_escape(char *o, uint32_t unit)
{
	o = put(o, SLICE_LIT("\\u"));
	return put_hex(put_hex(o, (unsigned char)(unit >> 8)), (unsigned char)unit);
}

static char *put_control(char *o, uint32_t cp)
{
	static const char letters[] = "btnvfr"; /* of the bytes 8 to 13 */

	if (cp >= '\b' && cp <= '\r' && cp != '\v') {
		*o++ = '\\';
		*o++ = letters[cp - '\b'];
		return o;
	}
	if (cp < 0x10000)
		return put_escape(o, cp);
	cp -= 0x10000;
	return put_escape(put_escape(o, 0xd800 | cp >> 10), 0xdc00 | (cp & 0x3ff));
}

/* Puts the character at the front of @s, in at most SPECIAL_ROOM bytes, and takes it off. */
static char *put_special(char *o, struct slice *s)
{
	char c = s->s[0];
	uint32_t cp;
	size_t n = utf8_decode(*s, &cp);

	if (c == '"' || c == '\\') {
		*o++ = '\\';
		*o++ = c;
	} else if (!n) {
		n = 1;
		o = put_hex(put(o, SLICE_LIT("\\\\x")), (unsigned char)c);
	} else if (utf8_is_control(cp)) {
		o = put_control(o, cp);
	} else {
		o = put(o, (struct slice){ s->s, n });
	}
	*s = (struct slice){ s->s + n, s->n - n };
	return o;
}

/* Continues at @o, behind an opening quote; commits. */
static void put_quoted(struct json_writer *w, char *o, struct slice s)
{
	json_commit(w, o);
	while (s.n) {
		size_t n = s.n < COPY_MAX ? s.n : COPY_MAX;

		n = (size_t)(json_find_special(s.s, s.s + n) - s.s);
		o = json_reserve(w, COPY_MAX + SPECIAL_ROOM);
		o = put(o, (struct slice){ s.s, n });
		s = (struct slice){ s.s + n, s.n - n };
		if (s.n)
			o = put_special(o, &s);
		json_commit(w, o);
	}
	o = json_reserve(w, 1);
	*o++ = '"';
	json_commit(w, o);
}

void json_key(struct json_writer *w, const char *key)
{
	json_key_slice(w, slice_of(key));
}

void json_key_slice(struct json_writer *w, struct slice key)
{
	char *o = json_reserve(w, LEAD_ROOM);

	assert(w->depth && (w->in_object & level_bit(w)) && !w->after_key);
	o = put_separator(w, o);
	*o++ = '"';
	put_quoted(w, o, key);
	o = json_reserve(w, 2);
	*o++ = ':';
	if (w->style == JSON_INDENTED)
		*o++ = ' ';
	json_commit(w, o);
	w->after_key = true;
}

void json_string(struct json_writer *w, const char *s)
{
	json_slice(w, slice_of(s));
}

void json_slice(struct json_writer *w, struct slice s)
{
	char *o = begin_value(w, 1);

	*o++ = '"';
	put_quoted(w, o, s);
	w->complete = !w->depth;
}

void json_u64(struct json_writer *w, uint64_t v)
{
	end_value(w, json_put_u64(begin_value(w, JSON_NUMBER_ROOM), v));
}

void json_i64(struct json_writer *w, int64_t v)
{
	end_value(w, json_put_i64(begin_value(w, JSON_NUMBER_ROOM), v));
}

void json_i128(struct json_writer *w, __int128 v)
{
	const uint64_t split = UINT64_C(1000000000000000000); /* 18 digits: two of them hold it */
	unsigned __int128 left = v < 0 ? -(unsigned __int128)v : (unsigned __int128)v;
	char *o = begin_value(w, JSON_NUMBER_ROOM);
	char part[JSON_NUMBER_ROOM];
	uint64_t low[2];
	int parts = 0;

	if (v < 0)
		*o++ = '-';
	for (; left > UINT64_MAX; left /= split)
		low[parts++] = (uint64_t)(left % split);
	o = json_put_u64(o, (uint64_t)left);
	while (parts) {
		size_t n = (size_t)(json_put_u64(part, low[--parts]) - part);

		memset(o, '0', 18 - n);
		memcpy(o + 18 - n, part, n);
		o += 18;
	}
	end_value(w, o);
}

void json_double(struct json_writer *w, double v)
{
	/* 15 digits are always exact for a normal number, so fewer need not be tried: %g drops
	 * the zeros at their end. Subnormal ones carry fewer. */
	NUMERIC_LOCALE_SCOPE;
	int precision = fabs(v) < DBL_MIN ? 1 : DBL_DIG;
	char text[JSON_NUMBER_ROOM];
	size_t n;

	if (!isfinite(v)) {
		json_null(w);
		return;
	}
	do
		n = (size_t)snprintf(text, sizeof(text), "%.*g", precision, v);
	while (strtod(text, NULL) != v && precision++ < DBL_DECIMAL_DIG);
	end_value(w, put(begin_value(w, sizeof(text)), (struct slice){ text, n }));
}

void json_bool(struct json_writer *w, bool v)
{
	end_value(w, put(begin_value(w, 5), v ? SLICE_LIT("true") : SLICE_LIT("false")));
}

void json_null(struct json_writer *w)
{
	end_value(w, put(begin_value(w, 4), SLICE_LIT("null")));
}

int json_sink_file(void *file, const char *bytes, size_t n)
{
	errno = 0;
	if (fwrite(bytes, 1, n, file) == n)
		return 0;
	return errno ? -errno : -EIO;
}

int json_sink_strbuf(void *strbuf, const char *bytes, size_t n)
{
	strbuf_add(strbuf, bytes, n);
	return 0;
}
