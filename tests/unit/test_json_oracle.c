// SPDX-License-Identifier: GPL-2.0-only
/*
 * json-c as the second opinion. Random trees of json-c are written by us and parsed by it, and the
 * other way round; documents with random damage are accepted or refused alike.
 */
#include "unit.h"

#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* Its typedef has the name of a function of ours. */
#define json_bool json_c_bool
#include <json-c/json.h>
#undef json_bool

#include "util/cleanup.h"
#include "json/reader.h"
#include "json/writer.h"

enum {
	TREES = 2000,
	DAMAGED_TREES = 400,
	DAMAGES = 40,
	TREE_DEPTH = 5,
};

static uint64_t random_state;

static uint64_t random64(void)
{
	/* A shuffled counter: every seed gives a sequence of its own. */
	uint64_t x = random_state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static unsigned below(unsigned n)
{
	return (unsigned)(random64() % n);
}

/* Valid UTF-8 with everything that has to be escaped. */
static void random_text(struct strbuf *sb)
{
	static const struct slice pieces[] = {
		SLICE_LIT("a"),
		SLICE_LIT("\""),
		SLICE_LIT("\\"),
		SLICE_LIT("/"),
		SLICE_LIT("\n"),
		SLICE_LIT("\0"),
		SLICE_LIT("\x1f"),
		SLICE_LIT("\x7f"),
		SLICE_LIT("\xc3\xa4"),
		SLICE_LIT("\xe2\x82\xac"),
		SLICE_LIT("\xf0\x9f\x90\xa7"),
		SLICE_LIT("worker-12"),
	};

	for (unsigned n = below(12); n; n--)
		strbuf_addslice(sb, pieces[below(ARRAY_SIZE(pieces))]);
}

static struct json_object *random_number(void)
{
	uint64_t v = random64() >> below(64);
	double d;

	switch (below(3)) {
	case 0:
		return json_object_new_uint64(v);
	case 1:
		return json_object_new_int64((int64_t)v);
	}
	memcpy(&d, &v, sizeof(d));
	return json_object_new_double(isfinite(d) && d != trunc(d) ? d : 0.5);
}

static struct json_object *random_tree(unsigned depth);

static struct json_object *random_object(unsigned depth)
{
	struct json_object *o = json_object_new_object();

	for (unsigned n = below(6); n; n--) {
		_cleanup_(strbuf_done) struct strbuf key = STRBUF_INIT;

		random_text(&key);
		/* A key of json-c ends at its first NUL. */
		json_object_object_add(o, key.s, random_tree(depth - 1));
	}
	return o;
}

static struct json_object *random_tree(unsigned depth)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct json_object *list;

	switch (below(depth ? 7 : 4)) {
	case 0:
		return below(2) ? NULL : json_object_new_boolean((int)below(2));
	case 1:
	case 2:
		return random_number();
	case 3:
		random_text(&text);
		return json_object_new_string_len(text.s, (int)text.len);
	case 4:
		list = json_object_new_array();
		for (unsigned n = below(6); n; n--)
			json_object_array_add(list, random_tree(depth - 1));
		return list;
	}
	return random_object(depth);
}

static struct json_object *tree_of(uint64_t seed)
{
	random_state = seed;
	return random_tree(TREE_DEPTH);
}

static void write_int(struct json_writer *w, struct json_object *o)
{
	/* json-c keeps what does not fit into an int64 as a uint64. */
	if (json_object_get_int64(o) < 0)
		json_i64(w, json_object_get_int64(o));
	else
		json_u64(w, json_object_get_uint64(o));
}

static void write_tree(struct json_writer *w, struct json_object *o)
{
	switch (json_object_get_type(o)) {
	case json_type_null:
		json_null(w);
		break;
	case json_type_boolean:
		json_bool(w, json_object_get_boolean(o));
		break;
	case json_type_double:
		json_double(w, json_object_get_double(o));
		break;
	case json_type_int:
		write_int(w, o);
		break;
	case json_type_string:
		json_slice(w, (struct slice){ json_object_get_string(o),
					      (size_t)json_object_get_string_len(o) });
		break;
	case json_type_array:
		json_begin_array(w);
		for (size_t i = 0; i < json_object_array_length(o); i++)
			write_tree(w, json_object_array_get_idx(o, i));
		json_end_array(w);
		break;
	case json_type_object:
		json_begin_object(w);
		json_object_object_foreach(o, key, value)
		{
			json_key(w, key);
			write_tree(w, value);
		}
		json_end_object(w);
		break;
	}
}

static void write_document(struct json_object *o, struct strbuf *text)
{
	struct json_writer w;

	json_writer_init(&w, json_sink_strbuf, text, below(2) ? JSON_COMPACT : JSON_INDENTED);
	write_tree(&w, o);
	assert_int_equal(json_writer_finish(&w), 0);
}

/* Whether json-c in its strict mode takes the document, and what it makes of it. */
static bool peer_parse(struct slice text, struct json_object **ret)
{
	struct json_tokener *tok = json_tokener_new_ex(JSON_READER_DEPTH + 2);
	struct json_object *o;
	bool ok;

	json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	o = json_tokener_parse_ex(tok, text.s, (int)text.n);
	/* A number at the top is complete only once something follows it. */
	if (json_tokener_get_error(tok) == json_tokener_continue)
		o = json_tokener_parse_ex(tok, "\n", 1);
	ok = json_tokener_get_error(tok) == json_tokener_success;
	json_tokener_free(tok);
	if (!ok)
		json_object_put(o);
	*ret = ok ? o : NULL;
	return ok;
}

static void what_we_write_json_c_reads_the_same(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= soak_rounds(TREES); seed++) {
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
		struct json_object *tree = tree_of(seed), *again;

		write_document(tree, &text);
		assert_true(peer_parse(strbuf_slice(&text), &again));
		assert_true(json_object_equal(tree, again));
		json_object_put(tree);
		json_object_put(again);
	}
}

static void read_and_compare(struct json_reader *r, struct json_object *o);

static void compare_number(struct json_reader *r, struct json_object *o)
{
	double d;
	uint64_t u;
	int64_t i;

	if (json_object_get_type(o) == json_type_double) {
		assert_int_equal(json_read_double(r, &d), 0);
		assert_true(d == json_object_get_double(o));
	} else if (json_object_get_int64(o) < 0) {
		assert_int_equal(json_read_i64(r, &i), 0);
		assert_true(i == json_object_get_int64(o));
	} else {
		assert_int_equal(json_read_u64(r, &u), 0);
		assert_true(u == json_object_get_uint64(o));
	}
}

static void compare_string(struct json_reader *r, struct json_object *o)
{
	struct slice text;

	assert_int_equal(json_read_string(r, &text), 0);
	assert_int_equal(text.n, json_object_get_string_len(o));
	assert_memory_equal(text.s, json_object_get_string(o), text.n);
}

static void compare_object(struct json_reader *r, struct json_object *o)
{
	struct slice key;
	int n = 0;

	assert_int_equal(json_enter_object(r), 0);
	while (json_next_key(r, &key) > 0) {
		_cleanup_free_ char *name = strndup(key.s, key.n);
		struct json_object *value;

		assert_true(json_object_object_get_ex(o, name, &value));
		read_and_compare(r, value);
		n++;
	}
	assert_int_equal(n, json_object_object_length(o));
}

static void read_and_compare(struct json_reader *r, struct json_object *o)
{
	bool flag;

	switch (json_object_get_type(o)) {
	case json_type_null:
		assert_int_equal(json_read_null(r), 0);
		break;
	case json_type_boolean:
		assert_int_equal(json_read_bool(r, &flag), 0);
		assert_int_equal(flag, json_object_get_boolean(o));
		break;
	case json_type_double:
	case json_type_int:
		compare_number(r, o);
		break;
	case json_type_string:
		compare_string(r, o);
		break;
	case json_type_array:
		assert_int_equal(json_enter_array(r), 0);
		for (size_t i = 0; i < json_object_array_length(o); i++) {
			assert_int_equal(json_next_element(r), 1);
			read_and_compare(r, json_object_array_get_idx(o, i));
		}
		assert_int_equal(json_next_element(r), 0);
		break;
	case json_type_object:
		compare_object(r, o);
		break;
	}
}

static void what_json_c_writes_we_read_the_same(void **state)
{
	static const int styles[] = { JSON_C_TO_STRING_PLAIN, JSON_C_TO_STRING_SPACED,
				      JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE };

	(void)state;
	for (uint64_t seed = 1; seed <= soak_rounds(TREES); seed++) {
		struct json_object *tree = tree_of(seed);
		struct json_reader r;
		struct err err = {};

		json_reader_init_slice(&r,
				       slice_of(json_object_to_json_string_ext(
					       tree, styles[below(ARRAY_SIZE(styles))])),
				       NULL, &err);
		read_and_compare(&r, tree);
		assert_int_equal(json_reader_end(&r), 0);
		assert_string_equal(err.text, "");
		json_reader_done(&r);
		json_object_put(tree);
	}
}

/* Puts, drops or changes one byte. */
static void damage(struct strbuf *text)
{
	static const char likely_bytes[] = "{}[],:\"\\0123456789.-+eE truefalsn\n\t/\x80\xc3\x1f";
	size_t at = below((unsigned)text->len + 1);
	char c = below(8) ? likely_bytes[below(sizeof(likely_bytes) - 1)] : (char)below(256);

	switch (below(3)) {
	case 0:
		strbuf_addch(text, ' ');
		memmove(text->s + at + 1, text->s + at, text->len - 1 - at);
		text->s[at] = c;
		break;
	case 1:
		if (at < text->len)
			text->s[at] = c;
		break;
	case 2:
		if (at < text->len) {
			memmove(text->s + at, text->s + at + 1, text->len - at - 1);
			strbuf_setlen(text, text->len - 1);
		}
		break;
	}
}

/* Whether we take the document; if not, where we stopped. */
static bool our_parse(struct slice text, size_t *ret_offset)
{
	struct json_reader r;
	bool ok;

	json_reader_init_slice(&r, text, NULL, NULL);
	ok = json_skip(&r) == 0 && json_reader_end(&r) == 0;
	*ret_offset = (size_t)(r.p - r.start);
	json_reader_done(&r);
	return ok;
}

static bool is_number(struct slice text, size_t at)
{
	size_t n = strspn(text.s + at, "+-.0123456789eE");
	_cleanup_free_ char *number = strndup(text.s + at, n);
	regex_t grammar;
	bool matches;

	assert_int_equal(regcomp(&grammar, "^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?$",
				 REG_EXTENDED | REG_NOSUB),
			 0);
	matches = number && regexec(&grammar, number, 0, NULL, 0) == 0;
	regfree(&grammar);
	return matches;
}

/* Whether json-c 0.16 is known to take what RFC 8259 forbids at this place, in strict mode too. */
static bool peer_is_lax_at(struct slice text, size_t at)
{
	unsigned char c = at < text.n ? (unsigned char)text.s[at] : ' ';

	/* A NUL ends its document; other control bytes may stand in strings. */
	if (c < 0x20)
		return true;
	/* It does not tell overlong forms and code points past the last in four bytes. */
	if (c >= 0xf0)
		return true;
	/* Leading zeros before a fraction, and a point without digits behind it. */
	return (c == '-' || (c >= '0' && c <= '9')) && !is_number(text, at);
}

static void damaged_documents_are_judged_alike(void **state)
{
	int alike[2] = {};

	(void)state;
	for (uint64_t seed = 1; seed <= soak_rounds(DAMAGED_TREES); seed++) {
		struct json_object *tree = tree_of(seed), *again;
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

		write_document(tree, &text);
		json_object_put(tree);
		for (int i = 0; i < DAMAGES; i++) {
			_cleanup_(strbuf_done) struct strbuf damaged = STRBUF_INIT;
			bool ours, theirs;
			size_t at;

			strbuf_addslice(&damaged, strbuf_slice(&text));
			damage(&damaged);
			ours = our_parse(strbuf_slice(&damaged), &at);
			theirs = peer_parse(strbuf_slice(&damaged), &again);
			json_object_put(again);
			if (ours == theirs)
				alike[ours]++;
			else
				assert_true(theirs && peer_is_lax_at(strbuf_slice(&damaged), at));
		}
	}
	/* The damage was neither always harmless nor always fatal. */
	assert_true(alike[0] > DAMAGED_TREES && alike[1] > DAMAGED_TREES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_we_write_json_c_reads_the_same),
		cmocka_unit_test(what_json_c_writes_we_read_the_same),
		cmocka_unit_test(damaged_documents_are_judged_alike),
	};

	return cmocka_run_group_tests_name("oracle", tests, NULL, NULL);
}
