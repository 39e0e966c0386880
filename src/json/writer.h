/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Streaming JSON writer: exact 64-bit integers, no document in memory. Calls that would make
 * invalid JSON (a value without its key, an unbalanced end) are programming errors and assert.
 * A failing sink is remembered; everything after it is dropped and json_writer_finish() tells.
 */
#ifndef JSON_WRITER_H
#define JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/compiler.h"
#include "util/cpuset.h"
#include "util/slice.h"
#include "util/strbuf.h"

/* Takes all @n bytes: 0 or -errno. */
typedef int json_sink(void *ctx, const char *bytes, size_t n);

enum json_style {
	JSON_COMPACT,  /* no white space at all: files */
	JSON_INDENTED, /* two spaces a level, a newline at the end: people */
};

#define JSON_WRITER_DEPTH 64

struct json_writer {
	json_sink *sink;
	void *ctx;
	enum json_style style;
	char *buf; /* handed to the sink when full */
	size_t len;
	int error;
	unsigned depth;
	uint64_t in_object; /* bit per open level: object, else array */
	uint64_t not_empty; /* bit per open level: a comma is due */
	uint64_t one_line;  /* bit per open level: not broken into lines */
	bool after_key;
	bool complete; /* the one value of the document is written */
};

void json_writer_init(struct json_writer *w, json_sink *sink, void *ctx, enum json_style style);

/* Hands the rest to the sink and frees the buffer. 0, or the first -errno of the sink. The document
 * must be complete, unless the sink failed. */
_must_check_ int json_writer_finish(struct json_writer *w);

/* Frees the buffer of a document that is given up half-way; what the sink has stays there. Harmless
 * after json_writer_finish(). */
void json_writer_done(struct json_writer *w);

void json_begin_object(struct json_writer *w);
void json_end_object(struct json_writer *w);
void json_begin_array(struct json_writer *w);
void json_end_array(struct json_writer *w);

/* Keys and strings may hold any bytes: what acts on a terminal (utf8_is_control()) is written as
 * \uNNNN, a byte that is not part of valid UTF-8 as the four characters \xNN, so the output is
 * always valid JSON and harmless to look at. */
void json_key(struct json_writer *w, const char *key);
void json_key_slice(struct json_writer *w, struct slice key);
void json_string(struct json_writer *w, const char *s);
void json_slice(struct json_writer *w, struct slice s);

void json_u64(struct json_writer *w, uint64_t v);
void json_i64(struct json_writer *w, int64_t v);
void json_i128(struct json_writer *w, __int128 v);
/* The fewest digits that read back as the same double; null when it is not finite. */
void json_double(struct json_writer *w, double v);
void json_bool(struct json_writer *w, bool v);
void json_null(struct json_writer *w);
/* An array of ids, on one line in either style. */
void json_cpus(struct json_writer *w, const struct cpuset *cpus);

/* A sink for a FILE *: stdio buffers, so whoever closes it learns of the last error. */
int json_sink_file(void *file, const char *bytes, size_t n);
/* A sink for a struct strbuf *. */
int json_sink_strbuf(void *strbuf, const char *bytes, size_t n);

#endif
