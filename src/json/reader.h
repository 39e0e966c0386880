/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Streaming JSON reader: the caller asks for what it expects, one value at a time, and no document
 * is kept. Memory is bounded by a window of fixed size and one string, whatever the input. Strict
 * RFC 8259: UTF-8 is checked, a lone surrogate, a control byte, a leading zero, a trailing comma or
 * a byte-order mark is refused. A number has at most JSON_NUMBER_MAX bytes.
 *
 *	if (json_enter_object(r) < 0)
 *		return r->error;
 *	while ((more = json_next_key(r, &key)) > 0)
 *		more = slice_is(key, "tid") ? json_read_u32(r, &tid) : json_skip(r);
 *
 * Functions return 0 (json_next_*: 1 or 0) or -EBADMSG for what is not the JSON that was asked for,
 * -ERANGE for a number that does not fit, -E2BIG past a limit, or what the fill callback returned.
 * The first failure stays: everything after it returns the same code, and the caller's struct err
 * keeps its text with the position. Results are written on success only.
 *
 * Calls out of order (two values for one key, a key inside an array) are programming errors and
 * assert.
 */
#ifndef JSON_READER_H
#define JSON_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/compiler.h"
#include "util/err.h"
#include "util/slice.h"
#include "util/strbuf.h"

/* Puts up to @n bytes into @buf: how many, 0 at the end, or -errno. */
typedef ssize_t json_fill(void *ctx, char *buf, size_t n);

#define JSON_READER_DEPTH 64
#define JSON_NUMBER_MAX   1024

/* What is refused; 0 stands for the default. */
struct json_limits {
	unsigned depth;      /* open objects and arrays, at most JSON_READER_DEPTH, the default */
	uint64_t bytes;      /* of the whole document; 1 GiB */
	size_t string_bytes; /* of one string or key, decoded; 1 MiB */
	size_t blank_bytes;  /* of one run of white space; 64 KiB */
};

enum json_kind {
	JSON_OBJECT,
	JSON_ARRAY,
	JSON_STRING,
	JSON_NUMBER,
	JSON_BOOL,
	JSON_NULL,
};

struct json_reader {
	const char *p; /* unread bytes: [p, end) */
	const char *end;
	const char *start;     /* of the window or of the slice */
	uint64_t start_offset; /* of `start` in the document */
	char *window;          /* NULL when reading a slice */
	json_fill *fill;
	void *ctx;
	uint64_t bytes_left; /* until the limit */
	bool ended;          /* nothing comes behind `end`, for the reason in `end_code` */
	int end_code;        /* 0 or what to fail with when more is needed */

	struct json_limits limits;
	uint64_t line; /* of `p`, from 0, and the offset where it starts */
	uint64_t line_offset;
	struct strbuf decoded; /* a string that does not stand in the window as it is */

	unsigned depth;
	uint64_t in_object; /* bit per open level: object, else array */
	bool level_empty;   /* nothing yet in the innermost level */
	bool value_due;     /* exactly one value has to be read now */

	int error;
	struct err *err;
};

/* @limits and @err may be NULL; @err must live as long as the reader. */
void json_reader_init(struct json_reader *r, json_fill *fill, void *ctx,
		      const struct json_limits *limits, struct err *err);
/* Reads from memory that stays valid as long as the reader; nothing is copied. */
void json_reader_init_slice(struct json_reader *r, struct slice document,
			    const struct json_limits *limits, struct err *err);
void json_reader_done(struct json_reader *r);

/* After the one value of the document: refuses anything but white space behind it. */
_must_check_ int json_reader_end(struct json_reader *r);

/* The kind of the value that is due, judged by its first byte, or <0. */
_must_check_ int json_peek(struct json_reader *r);

_must_check_ int json_enter_object(struct json_reader *r);
/* 1 and the next key, whose value must then be read or skipped; 0 once the object has been left.
 * The key is valid until the next call. Duplicate keys are the caller's to judge. */
_must_check_ int json_next_key(struct json_reader *r, struct slice *ret_key);

_must_check_ int json_enter_array(struct json_reader *r);
/* 1 when an element follows, which must then be read or skipped; 0 once the array has been left. */
_must_check_ int json_next_element(struct json_reader *r);

/* Integers are written without fraction and exponent: 1.0 and 1e3 are refused. */
_must_check_ int json_read_u64(struct json_reader *r, uint64_t *ret);
_must_check_ int json_read_i64(struct json_reader *r, int64_t *ret);
_must_check_ int json_read_u32(struct json_reader *r, uint32_t *ret);
_must_check_ int json_read_i32(struct json_reader *r, int32_t *ret);
/* Any number, rounded to the nearest double; -ERANGE where that is infinite. */
_must_check_ int json_read_double(struct json_reader *r, double *ret);
_must_check_ int json_read_bool(struct json_reader *r, bool *ret);
_must_check_ int json_read_null(struct json_reader *r);
/* Valid until the next call; may hold NUL bytes. */
_must_check_ int json_read_string(struct json_reader *r, struct slice *ret);

/* Checks and drops one value of any kind. Needs no stack, however deep it is. */
_must_check_ int json_skip(struct json_reader *r);

/* How many bytes of the document have been passed. */
uint64_t json_position(const struct json_reader *r);

/* Fails with @code and a message of the caller's at the current position: for what is valid JSON
 * but not what the caller can use. Keeps an earlier failure. */
int json_fail(struct json_reader *r, int code, const char *fmt, ...) _printf_(3, 4);

#endif
