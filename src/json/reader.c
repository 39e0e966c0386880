// SPDX-License-Identifier: LGPL-2.1-or-later
#include "json/reader.h"

#include <assert.h>
#include <errno.h>

#include "json/input.h"

int json_reader_end(struct json_reader *r)
{
	if (r->error)
		return r->error;
	assert(!r->value_due && !r->depth);
	if (json_skip_blank(r) < 0)
		return r->error;
	if (json_ahead(r, 1))
		return json_unexpected(r, "the end");
	return r->end_code < 0 ? json_fail_at_end(r, "the end") : 0;
}

static uint64_t level_bit(const struct json_reader *r)
{
	return UINT64_C(1) << (r->depth - 1);
}

static bool in_object(const struct json_reader *r)
{
	return r->in_object & level_bit(r);
}

/* Whether @c stands at r->p. */
static bool at(struct json_reader *r, char c)
{
	return json_ahead(r, 1) && *r->p == c;
}

int json_peek(struct json_reader *r)
{
	if (json_begin_value(r) < 0)
		return r->error;
	if (json_ahead(r, 1)) {
		switch (*r->p) {
		case '{':
			return JSON_OBJECT;
		case '[':
			return JSON_ARRAY;
		case '"':
			return JSON_STRING;
		case 't':
		case 'f':
			return JSON_BOOL;
		case 'n':
			return JSON_NULL;
		case '-':
		case '0' ... '9':
			return JSON_NUMBER;
		}
	}
	return json_unexpected(r, "a value");
}

static int enter(struct json_reader *r, char bracket, const char *expected)
{
	if (json_begin_value(r) < 0)
		return r->error;
	if (!at(r, bracket))
		return json_unexpected(r, expected);
	if (r->depth == r->limits.depth)
		return json_fail(r, -E2BIG, "more than %u objects and arrays inside each other",
				 r->limits.depth);
	r->p++;
	r->depth++;
	if (bracket == '{')
		r->in_object |= level_bit(r);
	else
		r->in_object &= ~level_bit(r);
	r->level_empty = true;
	r->value_due = false;
	return 0;
}

int json_enter_object(struct json_reader *r)
{
	return enter(r, '{', "an object");
}

int json_enter_array(struct json_reader *r)
{
	return enter(r, '[', "an array");
}

/* Leaves the level at @bracket and returns 0; 1 at the first byte of what comes next in it. */
static int next(struct json_reader *r, char bracket, const char *expected)
{
	if (json_skip_blank(r) < 0)
		return r->error;
	if (at(r, bracket)) {
		r->p++;
		r->depth--;
		json_end_value(r);
		return 0;
	}
	if (r->level_empty)
		return 1;
	if (!at(r, ','))
		return json_unexpected(r, expected);
	r->p++;
	return json_skip_blank(r) < 0 ? r->error : 1;
}

/* Passes over the colon. Looking for one may move the window away from under @key. */
static int pass_colon(struct json_reader *r, struct slice *key)
{
	if (likely(r->p < r->end && *r->p == ':')) {
		r->p++;
		return 0;
	}
	if (key->s != r->decoded.s) {
		strbuf_reset(&r->decoded);
		strbuf_addslice(&r->decoded, *key);
		*key = strbuf_slice(&r->decoded);
	}
	if (json_skip_blank(r) < 0)
		return r->error;
	if (!at(r, ':'))
		return json_unexpected(r, "':'");
	r->p++;
	return 0;
}

int json_next_key(struct json_reader *r, struct slice *ret_key)
{
	struct slice key;
	int more;

	if (r->error)
		return r->error;
	assert(r->depth && in_object(r) && !r->value_due);
	more = next(r, '}', "',' or '}'");
	if (more <= 0)
		return more;
	if (!at(r, '"'))
		return json_unexpected(r, r->level_empty ? "a key or '}'" : "a key");
	if (json_scan_string(r, &key) < 0 || pass_colon(r, &key) < 0)
		return r->error;
	r->value_due = true;
	*ret_key = key;
	return 1;
}

int json_next_element(struct json_reader *r)
{
	int more;

	if (r->error)
		return r->error;
	assert(r->depth && !in_object(r) && !r->value_due);
	more = next(r, ']', "',' or ']'");
	if (more > 0)
		r->value_due = true;
	return more;
}

int json_read_string(struct json_reader *r, struct slice *ret)
{
	if (json_begin_value(r) < 0)
		return r->error;
	if (!at(r, '"'))
		return json_unexpected(r, "a string");
	if (json_scan_string(r, ret) < 0)
		return r->error;
	json_end_value(r);
	return 0;
}

/* Passes over @word if it stands at r->p. */
static bool pass_word(struct json_reader *r, struct slice word)
{
	if (json_ahead(r, word.n) < word.n || memcmp(r->p, word.s, word.n) != 0)
		return false;
	r->p += word.n;
	json_end_value(r);
	return true;
}

/* A word that the end of input cuts short failed for the reason of that end. */
static int unexpected_word(struct json_reader *r, struct slice word, const char *expected)
{
	size_t have = json_ahead(r, word.n);

	if (have && have < word.n && memcmp(r->p, word.s, have) == 0)
		return json_fail_at_end(r, expected);
	return json_unexpected(r, expected);
}

int json_read_bool(struct json_reader *r, bool *ret)
{
	struct slice word;

	if (json_begin_value(r) < 0)
		return r->error;
	word = at(r, 'f') ? SLICE_LIT("false") : SLICE_LIT("true");
	if (!pass_word(r, word))
		return unexpected_word(r, word, "true or false");
	*ret = word.n == 4;
	return 0;
}

int json_read_null(struct json_reader *r)
{
	struct slice word = SLICE_LIT("null");

	if (json_begin_value(r) < 0)
		return r->error;
	return pass_word(r, word) ? 0 : unexpected_word(r, word, "null");
}

static int skip_number(struct json_reader *r)
{
	struct slice text;

	if (json_scan_number(r, &text) < 0)
		return r->error;
	r->p += text.n;
	json_end_value(r);
	return 0;
}

/* A scalar is passed over, an object or array is entered. */
static int skip_one(struct json_reader *r)
{
	struct slice text;
	bool flag;
	int kind = json_peek(r);

	if (kind < 0)
		return kind;
	switch ((enum json_kind)kind) {
	case JSON_OBJECT:
		return json_enter_object(r);
	case JSON_ARRAY:
		return json_enter_array(r);
	case JSON_STRING:
		return json_read_string(r, &text);
	case JSON_NUMBER:
		return skip_number(r);
	case JSON_BOOL:
		return json_read_bool(r, &flag);
	case JSON_NULL:
		return json_read_null(r);
	}
	return 0;
}

int json_skip(struct json_reader *r)
{
	unsigned outer = r->depth;
	struct slice key;

	for (;;) {
		int more = 0;

		if (skip_one(r) < 0)
			return r->error;
		while (!more) {
			if (r->depth == outer)
				return 0;
			more = in_object(r) ? json_next_key(r, &key) : json_next_element(r);
		}
		if (more < 0)
			return more;
	}
}
