// SPDX-License-Identifier: GPL-2.0-only
#include "json_source.h"

#include <errno.h>
#include <stdio.h>

#include "util/cleanup.h"
#include "json/schema.h"

struct inner {
	uint64_t x;
	bool y;
};

struct name {
	char text[16];
};

struct object {
	uint32_t id;
	uint64_t count;
	uint64_t a_rather_long_name_of_more_than_32_bytes;
	int64_t big;
	int32_t small;
	bool flag;
	struct name name;
	struct inner inner;
	uint64_t old;
	uint64_t z;
};

static const struct json_field inner_fields[] = {
	JSON_FIELD(U64, struct inner, x),
	JSON_FIELD(BOOL, struct inner, y),
};
static const struct json_schema inner_schema = JSON_SCHEMA(inner_fields);

static int read_inner(struct json_reader *r, void *member, void *ctx)
{
	return json_read_fields(r, &inner_schema, member, ctx);
}

static void write_inner(struct json_writer *w, const void *member)
{
	json_write_fields(w, &inner_schema, member);
}

static int read_name(struct json_reader *r, void *member, void *ctx)
{
	struct name *name = member;
	struct slice text;

	++*(int *)ctx;
	if (json_peek(r) == JSON_NULL)
		return json_read_null(r);
	if (json_read_string(r, &text) < 0)
		return r->error;
	if (text.n >= sizeof(name->text))
		return json_fail(r, -ENAMETOOLONG, "too long for a name");
	memcpy(name->text, text.s, text.n);
	name->text[text.n] = '\0';
	return 0;
}

static void write_name(struct json_writer *w, const void *member)
{
	json_string(w, ((const struct name *)member)->text);
}

static bool omit_name(const void *member)
{
	return !((const struct name *)member)->text[0];
}

static int read_old(struct json_reader *r, void *member, void *ctx)
{
	(void)ctx;
	return json_read_u64(r, member);
}

typedef struct inner inner_type;
static const struct json_custom inner = { .read = read_inner, .write = write_inner };
typedef struct name name_type;
static const struct json_custom name = { read_name, write_name, omit_name };
typedef uint64_t old_type;
static const struct json_custom old = { .read = read_old };

static const struct json_field fields[] = {
	JSON_FIELD(U32, struct object, id),
	JSON_FIELD(U64, struct object, count),
	JSON_FIELD(U64, struct object, a_rather_long_name_of_more_than_32_bytes),
	JSON_FIELD(I64, struct object, big),
	JSON_FIELD(I32, struct object, small),
	JSON_FIELD(BOOL, struct object, flag),
	JSON_CUSTOM(name, struct object, name),
	JSON_CUSTOM(inner, struct object, inner),
	JSON_CUSTOM(old, struct object, old),
	JSON_FIELD_AS("inner_x", U64, struct object, inner.x),
	JSON_FIELD(U64, struct object, z),
};
static const struct json_schema schema = JSON_SCHEMA(fields);

static const struct object sample = {
	.id = UINT32_MAX,
	.count = UINT64_MAX,
	.a_rather_long_name_of_more_than_32_bytes = 3,
	.big = INT64_MIN,
	.small = INT32_MIN,
	.flag = true,
	.name = { "a\"b" },
	.inner = { 5, true },
	.z = 12345678,
};

static const char sample_text[] =
	"{\"id\":4294967295,\"count\":18446744073709551615,"
	"\"a_rather_long_name_of_more_than_32_bytes\":3,\"big\":-9223372036854775808,"
	"\"small\":-2147483648,\"flag\":true,\"name\":\"a\\\"b\",\"inner\":{\"x\":5,\"y\":true},"
	"\"inner_x\":5,\"z\":12345678}";

static void write_object(const struct object *o, enum json_style style, struct strbuf *out)
{
	struct json_writer w;

	json_writer_init(&w, json_sink_strbuf, out, style);
	json_write_fields(&w, &schema, o);
	assert_int_equal(json_writer_finish(&w), 0);
}

static void assert_same_object(const struct object *a, const struct object *b)
{
	assert_int_equal(a->id, b->id);
	assert_true(a->count == b->count);
	assert_true(a->a_rather_long_name_of_more_than_32_bytes ==
		    b->a_rather_long_name_of_more_than_32_bytes);
	assert_true(a->big == b->big);
	assert_int_equal(a->small, b->small);
	assert_int_equal(a->flag, b->flag);
	assert_string_equal(a->name.text, b->name.text);
	assert_true(a->inner.x == b->inner.x);
	assert_int_equal(a->inner.y, b->inner.y);
	assert_true(a->old == b->old);
	assert_true(a->z == b->z);
}

static void fields_are_written_in_the_order_of_the_table(void **state)
{
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
	struct object o = sample;

	(void)state;
	write_object(&o, JSON_COMPACT, &out);
	assert_string_equal(out.s, sample_text);
	strbuf_reset(&out);
	o.name.text[0] = '\0';
	write_object(&o, JSON_INDENTED, &out);
	assert_string_equal(
		out.s, "{\n  \"id\": 4294967295,\n  \"count\": 18446744073709551615,\n"
		       "  \"a_rather_long_name_of_more_than_32_bytes\": 3,\n"
		       "  \"big\": -9223372036854775808,\n  \"small\": -2147483648,\n"
		       "  \"flag\": true,\n  \"inner\": {\n    \"x\": 5,\n    \"y\": true\n  },\n"
		       "  \"inner_x\": 5,\n  \"z\": 12345678\n}\n");
}

struct reading {
	struct object start, o;
	int custom_calls;
};

static int walk_object(struct json_reader *r, void *ret)
{
	struct reading *reading = ret;

	reading->o = reading->start;
	reading->custom_calls = 0;
	return json_read_fields(r, &schema, &reading->o, &reading->custom_calls);
}

static void what_was_written_is_read_in_both_styles(void **state)
{
	static const enum json_style styles[] = { JSON_COMPACT, JSON_INDENTED };
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(styles); i++) {
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
		struct reading reading = {};

		write_object(&sample, styles[i], &text);
		assert_int_equal(
			run_all_ways(strbuf_slice(&text), NULL, walk_object, &reading, &err), 0);
		assert_same_object(&reading.o, &sample);
		assert_int_equal(reading.custom_calls, 1);
	}
}

/* Room behind an object lets the fast way run to its last field. */
#define BEHIND "                                                                                "

static void any_order_and_any_gaps_are_read(void **state)
{
	static const struct {
		const char *document;
		struct object o;
	} rows[] = {
		{ "{}", {} },
		{ "{\"z\":1}", { .z = 1 } },
		{ "{\"z\":1,\"count\":2,\"id\":3}", { .z = 1, .count = 2, .id = 3 } },
		{ "{\"id\":3,\"z\":1,\"count\":2}", { .z = 1, .count = 2, .id = 3 } },
		{ "{\"id\":3,\"unknown\":{\"z\":[9]},\"count\":2,\"z\":1}",
		  { .z = 1, .count = 2, .id = 3 } },
		{ "{\"coun\":9,\"counts\":9,\"count\":2}", { .count = 2 } },
		{ "{\"\\u0063ount\":2,\"z\" : 1}", { .count = 2, .z = 1 } },
		{ "{\"old\":7,\"flag\":false,\"small\":-1}", { .old = 7, .small = -1 } },
		{ "{\"count\": 2, \"z\":1 }", { .count = 2, .z = 1 } },
	};
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
		struct reading reading = {};

		strbuf_addstr(&text, rows[i].document);
		assert_int_equal(
			run_all_ways(strbuf_slice(&text), NULL, walk_object, &reading, &err), 0);
		assert_same_object(&reading.o, &rows[i].o);
		strbuf_addstr(&text, BEHIND);
		assert_int_equal(
			run_all_ways(strbuf_slice(&text), NULL, walk_object, &reading, &err), 0);
		assert_same_object(&reading.o, &rows[i].o);
	}
}

static void what_is_missing_or_null_keeps_its_value(void **state)
{
	struct reading reading = { .start = sample };
	struct object expected = sample;
	struct err err;

	(void)state;
	expected.id = 9;
	assert_int_equal(run_all_ways(SLICE_LIT("{\"id\":9,\"count\":null,\"small\":null,"
						"\"flag\":null,\"name\":null}" BEHIND),
				      NULL, walk_object, &reading, &err),
			 0);
	assert_same_object(&reading.o, &expected);
}

static void bad_objects_are_refused_and_the_field_is_named(void **state)
{
	static const struct {
		const char *document;
		int e;
		const char *text;
	} rows[] = {
		{ "[]", -EBADMSG, "byte 0 (line 1, column 1): expected an object, found an array" },
		{ "{\"id\":1,\"id\":2}", -EBADMSG, "byte 13 (line 1, column 14): a second 'id'" },
		{ "{\"count\":2,\"id\":1,\"count\":2}", -EBADMSG,
		  "byte 26 (line 1, column 27): a second 'count'" },
		{ "{\"id\":1,\"count\":1.5}", -EBADMSG,
		  "'count': byte 16 (line 1, column 17): expected an integer, found 1.5 with "
		  "fraction or "
		  "exponent" },
		{ "{\"id\":1,\"count\":01}", -EBADMSG,
		  "'count': byte 16 (line 1, column 17): malformed number 01" },
		{ "{\"id\":1,\"count\":18446744073709551616}", -ERANGE,
		  "'count': byte 16 (line 1, column 17): 18446744073709551616 does not fit into 64 "
		  "bits" },
		{ "{\"z\":1,\"count\":2,\"z\":1}", -EBADMSG,
		  "byte 21 (line 1, column 22): a second 'z'" },
		{ "{\"id\":1,\"count\":2,\"count\":2}", -EBADMSG,
		  "byte 26 (line 1, column 27): a second 'count'" },
		{ "{\"id\":4294967296}", -ERANGE,
		  "'id': byte 6 (line 1, column 7): 4294967296 does not fit into 32 bits" },
		{ "{\"id\":-1}", -ERANGE,
		  "'id': byte 6 (line 1, column 7): -1 does not fit into 32 bits" },
		{ "{\"count\":-1}", -ERANGE,
		  "'count': byte 9 (line 1, column 10): -1 does not fit into 64 bits" },
		{ "{\"count\":1.5}", -EBADMSG,
		  "'count': byte 9 (line 1, column 10): expected an integer, found 1.5 with "
		  "fraction or "
		  "exponent" },
		{ "{\"count\":01}", -EBADMSG,
		  "'count': byte 9 (line 1, column 10): malformed number 01" },
		{ "{\"count\":1x}", -EBADMSG,
		  "byte 10 (line 1, column 11): expected ',' or '}', found x" },
		{ "{\"flag\":0}", -EBADMSG,
		  "'flag': byte 8 (line 1, column 9): expected true or false, found 0" },
		{ "{\"name\":\"0123456789abcdef\"}", -ENAMETOOLONG,
		  "'name': byte 26 (line 1, column 27): too long for a name" },
		{ "{\"inner\":{\"y\":{}}}", -EBADMSG,
		  "'inner': 'y': byte 14 (line 1, column 15): expected true or false, found an "
		  "object" },
		{ "{\"inner\":{\"y\":true,}}", -EBADMSG,
		  "'inner': byte 19 (line 1, column 20): expected a key, found '}'" },
		{ "{\"unknown\":[}", -EBADMSG,
		  "byte 12 (line 1, column 13): expected a value, found '}'" },
		{ "{,\"id\":1}", -EBADMSG,
		  "byte 1 (line 1, column 2): expected a key or '}', found ','" },
		{ "{\"id\":1\"count\":1}", -EBADMSG,
		  "byte 7 (line 1, column 8): expected ',' or '}', found a string" },
	};
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
		struct reading reading = {};

		strbuf_addstr(&text, rows[i].document);
		assert_int_equal(run_all_ways(strbuf_slice(&text), NULL, walk_object, &reading,
					      &err),
				 rows[i].e);
		assert_string_equal(err.text, rows[i].text);
		strbuf_addstr(&text, BEHIND);
		assert_int_equal(run_all_ways(strbuf_slice(&text), NULL, walk_object, &reading,
					      &err),
				 rows[i].e);
		assert_string_equal(err.text, rows[i].text);
	}
}

/* A name that differs in one letter, wherever, is another name. */
static void similar_names_are_unknown(void **state)
{
	static const char *const names[] = { "count", "a_rather_long_name_of_more_than_32_bytes" };
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		for (size_t at = 0; at < strlen(names[i]); at++) {
			_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
			struct reading reading = {};
			struct object expected = sample;

			strbuf_addstr(&text, sample_text);
			strstr(text.s, names[i])[at] ^= 1;
			*(i ? &expected.a_rather_long_name_of_more_than_32_bytes
			    : &expected.count) = 0;
			assert_int_equal(run_all_ways(strbuf_slice(&text), NULL, walk_object,
						      &reading, &err),
					 0);
			assert_same_object(&reading.o, &expected);
		}
}

/* Every number of digits in every field, across the edge of the window and of the writer's buffer.
 */
static void many_objects_survive_the_round_trip(void **state)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct source source = { .piece = SIZE_MAX };
	struct json_writer w;
	struct json_reader r;
	struct err err = {};
	uint64_t power = 1;
	int calls = 0, n = 0;

	(void)state;
	json_writer_init(&w, json_sink_strbuf, &text, JSON_COMPACT);
	json_begin_array(&w);
	for (int i = 0; i < 5000; i++, power = i % 20 ? power * 10 : 1) {
		struct object o = sample;

		o.count = power;
		o.z = power - 1;
		o.a_rather_long_name_of_more_than_32_bytes = (uint64_t)i;
		json_write_fields(&w, &schema, &o);
	}
	json_end_array(&w);
	assert_int_equal(json_writer_finish(&w), 0);

	source.left = strbuf_slice(&text);
	json_reader_init(&r, source_fill, &source, NULL, &err);
	assert_int_equal(json_enter_array(&r), 0);
	power = 1;
	for (; json_next_element(&r) > 0; n++, power = n % 20 ? power * 10 : 1) {
		struct object o = {}, expected = sample;

		expected.count = power;
		expected.z = power - 1;
		expected.a_rather_long_name_of_more_than_32_bytes = (uint64_t)n;
		assert_int_equal(json_read_fields(&r, &schema, &o, &calls), 0);
		assert_same_object(&o, &expected);
	}
	assert_int_equal(json_reader_end(&r), 0);
	assert_int_equal(n, 5000);
	assert_int_equal(calls, 5000);
	json_reader_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_written_in_the_order_of_the_table),
		cmocka_unit_test(what_was_written_is_read_in_both_styles),
		cmocka_unit_test(any_order_and_any_gaps_are_read),
		cmocka_unit_test(what_is_missing_or_null_keeps_its_value),
		cmocka_unit_test(bad_objects_are_refused_and_the_field_is_named),
		cmocka_unit_test(similar_names_are_unknown),
		cmocka_unit_test(many_objects_survive_the_round_trip),
	};

	return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
