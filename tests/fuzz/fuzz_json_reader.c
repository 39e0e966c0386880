// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any bytes, read in three ways: skipped, copied value by value through the writer, and into a
 * struct. Each way gives the same verdict, message and result from a slice and in small pieces;
 * what is accepted survives the round trip.
 */
#include <stdint.h>
#include <stdlib.h>

#include "util/cleanup.h"
#include "json/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct pieces {
	struct slice left;
	size_t piece;
};

static ssize_t fill(void *ctx, char *buf, size_t n)
{
	struct pieces *p = ctx;

	n = n < p->piece ? n : p->piece;
	n = n < p->left.n ? n : p->left.n;
	if (n)
		memcpy(buf, p->left.s, n);
	p->left = (struct slice){ p->left.s + n, p->left.n - n };
	return (ssize_t)n;
}

static int copy_value(struct json_reader *r, struct json_writer *w);

static int copy_object(struct json_reader *r, struct json_writer *w)
{
	struct slice key;
	int more;

	if (json_enter_object(r) < 0)
		return r->error;
	json_begin_object(w);
	while ((more = json_next_key(r, &key)) > 0) {
		json_key_slice(w, key);
		if (copy_value(r, w) < 0)
			return r->error;
	}
	json_end_object(w);
	return more;
}

static int copy_array(struct json_reader *r, struct json_writer *w)
{
	int more;

	if (json_enter_array(r) < 0)
		return r->error;
	json_begin_array(w);
	while ((more = json_next_element(r)) > 0)
		if (copy_value(r, w) < 0)
			return r->error;
	json_end_array(w);
	return more;
}

static int copy_scalar(struct json_reader *r, struct json_writer *w, enum json_kind kind)
{
	struct slice text = {};
	double number = 0;
	bool flag = false;

	if (kind == JSON_STRING && json_read_string(r, &text) == 0)
		json_slice(w, text);
	else if (kind == JSON_NUMBER && json_read_double(r, &number) == 0)
		json_double(w, number);
	else if (kind == JSON_BOOL && json_read_bool(r, &flag) == 0)
		json_bool(w, flag);
	else if (kind == JSON_NULL && json_read_null(r) == 0)
		json_null(w);
	return r->error;
}

static int copy_value(struct json_reader *r, struct json_writer *w)
{
	int kind = json_peek(r);

	if (kind < 0)
		return kind;
	if (kind == JSON_OBJECT)
		return copy_object(r, w);
	if (kind == JSON_ARRAY)
		return copy_array(r, w);
	return copy_scalar(r, w, (enum json_kind)kind);
}

static int way_skip(struct json_reader *r, struct strbuf *out)
{
	(void)out;
	return json_skip(r);
}

static int way_copy(struct json_reader *r, struct strbuf *out)
{
	struct json_writer w;
	int e;

	json_writer_init(&w, json_sink_strbuf, out, JSON_COMPACT);
	e = copy_value(r, &w);
	if (!e)
		return json_writer_finish(&w);
	json_writer_done(&w);
	return e;
}

struct inner {
	uint64_t x;
};

struct object {
	uint32_t id;
	uint64_t count;
	int32_t small;
	int64_t big;
	bool flag;
	struct inner inner;
};

static const struct json_field inner_fields[] = { JSON_FIELD(U64, struct inner, x) };
static const struct json_schema inner_schema = JSON_SCHEMA(inner_fields);

static int read_inner(struct json_reader *r, void *member, void *ctx)
{
	return json_read_fields(r, &inner_schema, member, ctx);
}

static void write_inner(struct json_writer *w, const void *member)
{
	json_write_fields(w, &inner_schema, member);
}

typedef struct inner inner_type;
static const struct json_custom inner = { .read = read_inner, .write = write_inner };

static const struct json_field fields[] = {
	JSON_FIELD(U32, struct object, id),    JSON_FIELD(U64, struct object, count),
	JSON_FIELD(I32, struct object, small), JSON_FIELD(I64, struct object, big),
	JSON_FIELD(BOOL, struct object, flag), JSON_CUSTOM(inner, struct object, inner),
};
static const struct json_schema schema = JSON_SCHEMA(fields);

static int way_fields(struct json_reader *r, struct strbuf *out)
{
	struct object o = {};
	struct json_writer w;
	int e = json_read_fields(r, &schema, &o, NULL);

	json_writer_init(&w, json_sink_strbuf, out, JSON_COMPACT);
	json_write_fields(&w, &schema, &o);
	return json_writer_finish(&w) < 0 ? -1 : e;
}

typedef int read_way(struct json_reader *r, struct strbuf *out);

static int run(struct json_reader *r, read_way *way, struct strbuf *out)
{
	int e = way(r, out);

	if (!e)
		e = json_reader_end(r);
	json_reader_done(r);
	return e;
}

static void check(struct slice document, read_way *way)
{
	static const size_t pieces[] = { 1, 5, 100 };
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
	_cleanup_(strbuf_done) struct strbuf twice = STRBUF_INIT;
	struct json_reader r;
	struct err err = {};
	int e;

	json_reader_init_slice(&r, document, NULL, &err);
	e = run(&r, way, &out);
	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		_cleanup_(strbuf_done) struct strbuf again = STRBUF_INIT;
		struct pieces source = { document, pieces[i] };
		struct err err_again = {};

		json_reader_init(&r, fill, &source, NULL, &err_again);
		if (run(&r, way, &again) != e || !slice_is(slice_of(err.text), err_again.text))
			abort();
		if (!e && !slice_eq(strbuf_slice(&out), strbuf_slice(&again)))
			abort();
	}
	if (e || !out.len)
		return;
	json_reader_init_slice(&r, strbuf_slice(&out), NULL, &err);
	if (run(&r, way, &twice) || !slice_eq(strbuf_slice(&out), strbuf_slice(&twice)))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice document = { (const char *)data, size };

	check(document, way_skip);
	check(document, way_copy);
	check(document, way_fields);
	return 0;
}
