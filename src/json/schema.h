/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Objects that mirror a C struct: one table of fields serves reading and writing, and both are as
 * fast as code written for that struct. Rows expand from an X-macro list or are written by hand:
 *
 *	static const struct json_field thread_fields[] = {
 *		JSON_FIELD(U32, struct thread, tid),
 *		JSON_CUSTOM(json_name, struct thread, comm),
 *		JSON_FIELD_AS("wait_sum", U64, struct thread, wait_sum.ns),
 *	};
 *	static const struct json_schema thread_schema = JSON_SCHEMA(thread_fields);
 *
 * A row whose type is not that of the member does not compile.
 */
#ifndef JSON_SCHEMA_H
#define JSON_SCHEMA_H

#include <stddef.h>

#include "json/reader.h"
#include "json/writer.h"

#define JSON_FIELDS_MAX 256

/* Row type, member type, suffix of json_read_ and of json_. */
#define JSON_INTEGERS(X)                                                                           \
	X(U64, uint64_t, u64, u64)                                                                 \
	X(U32, uint32_t, u32, u64)                                                                 \
	X(I64, int64_t, i64, i64)                                                                  \
	X(I32, int32_t, i32, i64)

enum json_field_type {
#define X(type, ctype, suffix, wide) JSON_FIELD_##type,
	JSON_INTEGERS(X)
#undef X
	JSON_FIELD_BOOL,
	JSON_FIELD_CUSTOM,
};

/* The member types under a name that a row can paste together. */
#define X(type, ctype, suffix, wide) typedef ctype json_field_type_##type;
JSON_INTEGERS(X)
#undef X
typedef bool json_field_type_BOOL;

/*
 * How a member of another type is read and written: strings, arrays, maps, objects, optional
 * values. An instance NAME serves the type NAME_type, which is a typedef beside it.
 */
struct json_custom {
	/* Reads exactly one value into @member; null comes here too. @ctx is that of
	 * json_read_fields(). Fails through the reader: json_fail() or a read that failed. */
	int (*read)(struct json_reader *r, void *member, void *ctx);
	/* Writes exactly one value. NULL: the field is read, never written (an older name). */
	void (*write)(struct json_writer *w, const void *member);
	/* True leaves the field out of the object. NULL: it is always written. */
	bool (*omit)(const void *member);
};

/* Longest `,"name":` with its terminator; comparing and copying work in steps of 16 bytes. */
#define JSON_FIELD_ROOM 48

/* One cache line. */
struct json_field {
	char text[JSON_FIELD_ROOM]; /* ,"name": */
	uint16_t len;
	uint16_t type;
	uint32_t offset;
	const struct json_custom *custom;
};

struct json_schema {
	const struct json_field *fields; /* in the order of writing */
	size_t n;
};

#define JSON_CHECKED(condition, text)                                                              \
	(0 * sizeof(struct {                                                                       \
		 _Static_assert(condition, text);                                                  \
		 int unused;                                                                       \
	 }))

/* @name is ASCII without quote, backslash and control bytes: it is written as it stands. */
#define JSON_FIELD_NAMED(name)                                                                     \
	.text = ",\"" name "\":",                                                                  \
	.len = sizeof(",\"" name "\":") - 1 +                                                      \
	       JSON_CHECKED(sizeof(",\"" name "\":") <= JSON_FIELD_ROOM, "field name too long")

#define JSON_FIELD_AS(name, row_type, strct, member)                                               \
	{                                                                                          \
		JSON_FIELD_NAMED(name),                                                            \
			.offset = offsetof(strct, member),                                         \
			.type = _Generic(&((strct *)0)->member, json_field_type_##row_type *       \
					 : JSON_FIELD_##row_type),                                 \
	}
#define JSON_FIELD(row_type, strct, member) JSON_FIELD_AS(#member, row_type, strct, member)

/* @ops is a struct json_custom. */
#define JSON_CUSTOM_AS(name, ops, strct, member)                                                   \
	{                                                                                          \
		JSON_FIELD_NAMED(name), .offset = offsetof(strct, member),                         \
					.type = JSON_FIELD_CUSTOM,                                 \
					.custom = _Generic(&((strct *)0)->member, ops##_type *     \
							   : &(ops)),                              \
	}
#define JSON_CUSTOM(ops, strct, member) JSON_CUSTOM_AS(#member, ops, strct, member)

#define JSON_SCHEMA(rows)                                                                          \
	{                                                                                          \
		.fields = (rows),                                                                  \
		.n = ARRAY_SIZE(rows) +                                                            \
		     JSON_CHECKED(sizeof(rows) / sizeof((rows)[0]) <= JSON_FIELDS_MAX,             \
				  "too many fields"),                                              \
	}

/* Writes one object with all fields of @schema. */
void json_write_fields(struct json_writer *w, const struct json_schema *schema, const void *obj);

/*
 * Reads one object into @obj. Fastest when the fields come in the order of the table and without
 * white space, as we write them; any order is right. A field that is missing, or a scalar that is
 * null, leaves in @obj what the caller put there. Unknown fields are skipped. A field that comes
 * twice is refused. On failure @obj is partly written, and the message names the field.
 */
_must_check_ int json_read_fields(struct json_reader *r, const struct json_schema *schema,
				  void *obj, void *ctx);

#endif
