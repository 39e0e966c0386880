/* SPDX-License-Identifier: GPL-2.0-only */
/* Documents for the JSON reader, whole and in pieces. */
#ifndef TESTS_JSON_SOURCE_H
#define TESTS_JSON_SOURCE_H

#include "unit.h"

#include "json/reader.h"

/* Hands out a document @piece bytes at a time, then the end or an error. */
struct source {
	struct slice left;
	size_t piece;
	int end;
};

static ssize_t source_fill(void *ctx, char *buf, size_t n)
{
	struct source *source = ctx;

	if (!source->left.n)
		return source->end;
	n = n < source->piece ? n : source->piece;
	n = n < source->left.n ? n : source->left.n;
	memcpy(buf, source->left.s, n);
	source->left = (struct slice){ source->left.s + n, source->left.n - n };
	return (ssize_t)n;
}

typedef int json_walk(struct json_reader *r, void *ret);

/* The verdict of @walk over the whole document, which is the same however it is cut. */
static inline int run_all_ways(struct slice document, const struct json_limits *limits,
			       json_walk *walk, void *ret, struct err *err)
{
	static const size_t pieces[] = { 1, 2, 3, 7, 64, 1000, SIZE_MAX };
	struct json_reader r;
	int e;

	*err = (struct err){};
	json_reader_init_slice(&r, document, limits, err);
	e = walk(&r, ret);
	if (!e)
		e = json_reader_end(&r);
	json_reader_done(&r);
	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		struct source source = { document, pieces[i], 0 };
		struct err again = {};
		int e2;

		json_reader_init(&r, source_fill, &source, limits, &again);
		e2 = walk(&r, ret);
		if (!e2)
			e2 = json_reader_end(&r);
		json_reader_done(&r);
		assert_int_equal(e2, e);
		assert_string_equal(again.text, err->text);
	}
	return e;
}

static inline int walk_skip(struct json_reader *r, void *ret)
{
	(void)ret;
	return json_skip(r);
}

#endif
