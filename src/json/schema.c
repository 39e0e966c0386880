// SPDX-License-Identifier: LGPL-2.1-or-later
#include "json/schema.h"

#include <assert.h>
#include <errno.h>

#include "json/emit.h"
#include "json/input.h"
#include "json/scan.h"

static struct slice field_name(const struct json_field *f)
{
	return (struct slice){ f->text + 2, f->len - 4u };
}

/* In the compact style every key but the first is written as it stands in the table. */
static bool is_plain(const struct json_writer *w)
{
	return w->style == JSON_COMPACT && (w->not_empty >> (w->depth - 1) & 1);
}

_always_inline_ char *put_key(char *o, const struct json_field *f)
{
	memcpy(o, f->text, 32);
	if (unlikely(f->len > 32))
		memcpy(o + 32, f->text + 32, JSON_FIELD_ROOM - 32);
	return o + f->len;
}

static void write_key(struct json_writer *w, const struct json_field *f)
{
	if (is_plain(w)) {
		json_commit(w, put_key(json_reserve(w, JSON_FIELD_ROOM), f));
		w->after_key = true;
	} else {
		json_key_slice(w, field_name(f));
	}
}

static void write_field(struct json_writer *w, const struct json_field *f, const void *member)
{
	if (f->type == JSON_FIELD_CUSTOM &&
	    (!f->custom->write || (f->custom->omit && f->custom->omit(member))))
		return;
	write_key(w, f);
	switch ((enum json_field_type)f->type) {
#define X(type, ctype, suffix, wide)                                                               \
	case JSON_FIELD_##type:                                                                    \
		json_##wide(w, *(const ctype *)member);                                            \
		break;
		JSON_INTEGERS(X)
#undef X
	case JSON_FIELD_BOOL:
		json_bool(w, *(const bool *)member);
		break;
	case JSON_FIELD_CUSTOM:
		f->custom->write(w, member);
		break;
	}
}

/* Writes the fields from @f on that are of type U64, most of them as a rule, without a detour
 * through the writer. Returns the first that is of another type, or @end. */
static const struct json_field *write_u64s(struct json_writer *w, const struct json_field *f,
					   const struct json_field *end, const void *obj)
{
	const size_t room = JSON_FIELD_ROOM + JSON_NUMBER_ROOM;
	char *o = json_reserve(w, room);

	for (; f < end && f->type == JSON_FIELD_U64; f++) {
		if (unlikely(w->buf + JSON_WRITER_BUFFER - o < (ptrdiff_t)room)) {
			json_commit(w, o);
			o = json_reserve(w, room);
		}
		o = json_put_u64(put_key(o, f), *(const uint64_t *)((const char *)obj + f->offset));
	}
	json_commit(w, o);
	return f;
}

void json_write_fields(struct json_writer *w, const struct json_schema *schema, const void *obj)
{
	const struct json_field *f = schema->fields, *end = f + schema->n;

	json_begin_object(w);
	while (f < end) {
		if (f->type == JSON_FIELD_U64 && is_plain(w)) {
			f = write_u64s(w, f, end, obj);
		} else {
			write_field(w, f, (const char *)obj + f->offset);
			f++;
		}
	}
	json_end_object(w);
}

struct seen {
	uint64_t bits[JSON_FIELDS_MAX / 64];
};

static inline bool is_seen(const struct seen *seen, size_t i)
{
	return seen->bits[i / 64] >> i % 64 & 1;
}

static inline void set_seen(struct seen *seen, size_t i)
{
	seen->bits[i / 64] |= UINT64_C(1) << i % 64;
}

static int read_value(struct json_reader *r, const struct json_field *f, void *member, void *ctx)
{
	int kind;

	if (f->type == JSON_FIELD_CUSTOM)
		return f->custom->read(r, member, ctx);
	kind = json_peek(r);
	if (kind < 0)
		return kind;
	if (kind == JSON_NULL)
		return json_read_null(r);
	switch ((enum json_field_type)f->type) {
#define X(type, ctype, suffix, wide)                                                               \
	case JSON_FIELD_##type:                                                                    \
		return json_read_##suffix(r, member);
		JSON_INTEGERS(X)
#undef X
	case JSON_FIELD_BOOL:
		return json_read_bool(r, member);
	case JSON_FIELD_CUSTOM:
		break;
	}
	return 0;
}

static int read_field(struct json_reader *r, const struct json_field *f, void *obj, void *ctx)
{
	int e = read_value(r, f, (char *)obj + f->offset, ctx);
	struct slice name = field_name(f);

	if (e >= 0)
		return 0;
	assert(r->error);
	return err_prefix(r->err, e, "'%.*s'", (int)name.n, name.s);
}

/* The bits that differ in eight bytes from @at on. */
static inline uint64_t differ(const char *a, const char *b, size_t at)
{
	return json_load64(a + at) ^ json_load64(b + at);
}

/* Whether the first @n bytes agree, at least 16 of which can be read on both sides. Words that
 * overlap are cheaper than a loop over the exact length. */
static inline bool same(const char *a, const char *b, size_t n)
{
	uint64_t diff;

	if (n < 8)
		return !(differ(a, b, 0) << (64 - 8 * n));
	diff = differ(a, b, 0) | differ(a, b, n - 8);
	if (n > 16)
		diff |= differ(a, b, 8) | differ(a, b, n - 16);
	return !diff && (n <= 32 || memcmp(a + 16, b + 16, n - 32) == 0);
}

/* Bytes behind r->p that one step of read_predicted() may look at. */
#define STEP_ROOM (JSON_FIELD_ROOM + JSON_DECIMAL_ROOM)

/* Reads fields from @next on as long as the input has them in the order of the table, and returns
 * the one that it did not find. Whatever it does not like it leaves for the general way. */
static size_t read_predicted(struct json_reader *r, const struct json_schema *schema, size_t next,
			     void *obj, void *ctx, struct seen *seen)
{
	for (; next < schema->n && json_ahead(r, STEP_ROOM) >= STEP_ROOM; next++) {
		const struct json_field *f = &schema->fields[next];
		unsigned first = r->level_empty, digits;
		const char *value = r->p + f->len - first;
		uint64_t v;

		if (!same(r->p, f->text + first, f->len - first) || is_seen(seen, next))
			break;
		if (f->type == JSON_FIELD_U64) {
			digits = json_scan_decimal(value, &v);
			if (!digits || json_is_number_byte(value[digits]))
				break;
			*(uint64_t *)((char *)obj + f->offset) = v;
			r->p = value + digits;
			r->level_empty = false;
		} else {
			r->p = value;
			r->value_due = true;
			if (read_field(r, f, obj, ctx) < 0)
				break;
		}
		set_seen(seen, next);
	}
	return next;
}

/* The field called @key, looked for from @from on all the way round; schema->n for none. */
static size_t find_field(const struct json_schema *schema, struct slice key, size_t from)
{
	for (size_t k = 0; k < schema->n; k++) {
		size_t i = from + k < schema->n ? from + k : from + k - schema->n;

		if (slice_eq(key, field_name(&schema->fields[i])))
			return i;
	}
	return schema->n;
}

int json_read_fields(struct json_reader *r, const struct json_schema *schema, void *obj, void *ctx)
{
	struct seen seen = {};
	size_t next = 0;

	if (json_enter_object(r) < 0)
		return r->error;
	for (;;) {
		struct slice key;
		size_t found;
		int more;

		next = read_predicted(r, schema, next, obj, ctx, &seen);
		more = json_next_key(r, &key);
		if (more <= 0)
			return more;
		found = find_field(schema, key, next);
		if (found == schema->n) {
			if (json_skip(r) < 0)
				return r->error;
			continue;
		}
		if (is_seen(&seen, found))
			return json_fail(r, -EBADMSG, "a second '%.*s'", (int)key.n, key.s);
		if (read_field(r, &schema->fields[found], obj, ctx) < 0)
			return r->error;
		set_seen(&seen, found);
		next = found + 1;
	}
}
