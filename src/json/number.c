// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "util/numeric_locale.h"
#include "json/input.h"
#include "json/scan.h"

/* As much of a number as a message shows. */
#define SHOWN(text) (int)((text).n < 32 ? (text).n : 32), (text).s

static size_t count_digits(struct slice s, size_t at)
{
	size_t n = 0;

	while (at + n < s.n && s.s[at + n] >= '0' && s.s[at + n] <= '9')
		n++;
	return n;
}

/* The grammar of RFC 8259, section 6, over all of @s. */
static bool is_number(struct slice s)
{
	size_t at = s.n && s.s[0] == '-', n = count_digits(s, at);

	if (!n || (n > 1 && s.s[at] == '0'))
		return false;
	at += n;
	if (at < s.n && s.s[at] == '.') {
		n = count_digits(s, ++at);
		if (!n)
			return false;
		at += n;
	}
	if (at < s.n && (s.s[at] == 'e' || s.s[at] == 'E')) {
		at++;
		at += at < s.n && (s.s[at] == '+' || s.s[at] == '-');
		n = count_digits(s, at);
		if (!n)
			return false;
		at += n;
	}
	return at == s.n;
}

int json_scan_number(struct json_reader *r, struct slice *ret)
{
	struct slice text;
	size_t n = 0;

	while (json_ahead(r, n + 1) > n && json_is_number_byte(r->p[n]))
		if (++n > JSON_NUMBER_MAX)
			return json_fail(r, -E2BIG, "a number of more than %d bytes",
					 JSON_NUMBER_MAX);
	if (json_ahead(r, n + 1) == n && r->end_code < 0)
		return json_fail_at_end(r, "a number");
	text = (struct slice){ r->p, n };
	if (!is_number(text))
		return json_fail(r, -EBADMSG, "malformed number %.*s", SHOWN(text));
	*ret = text;
	return 0;
}

struct integer_type {
	const char *name;
	uint64_t lowest; /* the magnitude of the lowest negative number */
	uint64_t highest;
};

/* Reads the text of a number as an integer; on overflow the result is no value of any type. */
static int convert(struct json_reader *r, struct slice text, const struct integer_type *type,
		   uint64_t *ret)
{
	bool negative = text.s[0] == '-', fits = true;
	uint64_t v = 0;

	for (size_t i = negative; i < text.n; i++) {
		uint64_t digit = (uint64_t)(text.s[i] - '0');

		if (text.s[i] < '0' || text.s[i] > '9')
			return json_fail(
				r, -EBADMSG,
				"expected an integer, found %.*s with fraction or exponent",
				SHOWN(text));
		fits = fits && !__builtin_mul_overflow(v, 10, &v) &&
		       !__builtin_add_overflow(v, digit, &v);
	}
	if (!fits || v > (negative ? type->lowest : type->highest))
		return json_fail(r, -ERANGE, "%.*s does not fit into %s", SHOWN(text), type->name);
	*ret = negative ? -v : v;
	return 0;
}

static int read_integer_slow(struct json_reader *r, const struct integer_type *type, uint64_t *ret)
{
	struct slice text;
	int e;

	if (!json_ahead(r, 1) || !(*r->p == '-' || (*r->p >= '0' && *r->p <= '9')))
		return json_unexpected(r, "an integer");
	e = json_scan_number(r, &text);
	if (e < 0)
		return e;
	e = convert(r, text, type, ret);
	if (e < 0)
		return e;
	r->p += text.n;
	json_end_value(r);
	return 0;
}

static inline int read_integer(struct json_reader *r, const struct integer_type *type,
			       uint64_t *ret)
{
	int e = json_begin_value(r);

	if (e < 0)
		return e;
	if (likely(json_ahead(r, 1 + JSON_DECIMAL_ROOM) >= 1 + JSON_DECIMAL_ROOM)) {
		bool negative = *r->p == '-';
		uint64_t v;
		unsigned n = json_scan_decimal(r->p + negative, &v);

		if (likely(n && !json_is_number_byte(r->p[negative + n]) &&
			   v <= (negative ? type->lowest : type->highest))) {
			r->p += negative + n;
			json_end_value(r);
			*ret = negative ? -v : v;
			return 0;
		}
	}
	return read_integer_slow(r, type, ret);
}

int json_read_u64(struct json_reader *r, uint64_t *ret)
{
	static const struct integer_type type = { "64 bits", 0, UINT64_MAX };

	return read_integer(r, &type, ret);
}

int json_read_i64(struct json_reader *r, int64_t *ret)
{
	static const struct integer_type type = { "64 bits with sign", UINT64_C(1) << 63,
						  INT64_MAX };
	uint64_t v = 0;
	int e = read_integer(r, &type, &v);

	if (e < 0)
		return e;
	*ret = (int64_t)v;
	return 0;
}

int json_read_u32(struct json_reader *r, uint32_t *ret)
{
	static const struct integer_type type = { "32 bits", 0, UINT32_MAX };
	uint64_t v = 0;
	int e = read_integer(r, &type, &v);

	if (e < 0)
		return e;
	*ret = (uint32_t)v;
	return 0;
}

int json_read_i32(struct json_reader *r, int32_t *ret)
{
	static const struct integer_type type = { "32 bits with sign", UINT64_C(1) << 31,
						  INT32_MAX };
	uint64_t v = 0;
	int e = read_integer(r, &type, &v);

	if (e < 0)
		return e;
	*ret = (int32_t)(int64_t)v;
	return 0;
}

int json_read_double(struct json_reader *r, double *ret)
{
	NUMERIC_LOCALE_SCOPE;
	char copy[JSON_NUMBER_MAX + 1];
	struct slice text = SLICE_LIT("");
	double v;
	int e = json_begin_value(r);

	if (e < 0)
		return e;
	if (!json_ahead(r, 1) || !(*r->p == '-' || (*r->p >= '0' && *r->p <= '9')))
		return json_unexpected(r, "a number");
	e = json_scan_number(r, &text);
	if (e < 0)
		return e;
	memcpy(copy, text.s, text.n);
	copy[text.n] = '\0';
	v = strtod(copy, NULL);
	if (!isfinite(v))
		return json_fail(r, -ERANGE, "%.*s does not fit into a double", SHOWN(text));
	r->p += text.n;
	json_end_value(r);
	*ret = v;
	return 0;
}
