// SPDX-License-Identifier: LGPL-2.1-or-later
#include "util/inflate.h"

#include <errno.h>
#include <stdint.h>

#define MAX_BITS    15  /* longest code */
#define N_LITLEN    288 /* 286 and 287 have codes in the fixed set but no meaning */
#define N_DIST      32  /* so have 30 and 31 */
#define MAX_LITLEN  286
#define MAX_DIST    30
#define END_OF_DATA 256

struct stream {
	struct slice in;
	size_t at;     /* next byte of in */
	uint32_t bits; /* read but not yet used, lowest first */
	unsigned n_bits;
	struct strbuf *out;
	size_t start; /* length of out at the call */
	size_t cap;
};

/* Symbols in the order of their codes; codes of one length are consecutive numbers. */
struct code {
	uint16_t count[MAX_BITS + 1];
	uint16_t symbol[N_LITLEN];
};

/* At most 16 bits at a time; -EBADMSG at the end of the input. */
static int take_bits(struct stream *s, unsigned n)
{
	int value;

	while (s->n_bits < n) {
		if (s->at == s->in.n)
			return -EBADMSG;
		s->bits |= (uint32_t)(unsigned char)s->in.s[s->at++] << s->n_bits;
		s->n_bits += 8;
	}
	value = (int)(s->bits & ((1u << n) - 1));
	s->bits >>= n;
	s->n_bits -= n;
	return value;
}

/* Lengths of 0 have no code. Sets that leave codes unused are refused, with one exception that
 * encoders do produce: a set of one code of one bit, or of none. */
static int code_build(struct code *code, const uint8_t *lengths, unsigned n)
{
	uint16_t next[MAX_BITS + 1];
	int left = 1, longest = 0;

	*code = (struct code){};
	for (unsigned i = 0; i < n; i++)
		code->count[lengths[i]]++;
	code->count[0] = 0;
	next[0] = 0;
	for (int len = 1; len <= MAX_BITS; len++) {
		left = 2 * left - code->count[len];
		if (left < 0)
			return -EBADMSG;
		if (code->count[len])
			longest = len;
		next[len] = (uint16_t)(next[len - 1] + code->count[len - 1]);
	}
	if (left > 0 && longest > 1)
		return -EBADMSG;
	for (unsigned i = 0; i < n; i++)
		if (lengths[i])
			code->symbol[next[lengths[i]]++] = (uint16_t)i;
	return 0;
}

/* The symbol of the next code, or -EBADMSG. */
static int code_read(const struct code *code, struct stream *s)
{
	int value = 0, first = 0, index = 0;

	for (int len = 1; len <= MAX_BITS; len++) {
		int bit = take_bits(s, 1);

		if (bit < 0)
			return bit;
		value = value << 1 | bit;
		first <<= 1;
		if (value - first < code->count[len])
			return code->symbol[index + value - first];
		index += code->count[len];
		first += code->count[len];
	}
	return -EBADMSG;
}

static int put_byte(struct stream *s, char byte)
{
	if (s->out->len >= s->cap)
		return -EFBIG;
	strbuf_addch(s->out, byte);
	return 0;
}

/* Byte by byte: a copy may overlap what it produces. */
static int put_copy(struct stream *s, unsigned distance, unsigned length)
{
	if (distance > s->out->len - s->start)
		return -EBADMSG;
	while (length--) {
		int r = put_byte(s, s->out->s[s->out->len - distance]);

		if (r < 0)
			return r;
	}
	return 0;
}

/* A value that starts at @base and takes @extra more bits from the stream. */
static int take_from_base(struct stream *s, unsigned base, unsigned extra)
{
	int more = take_bits(s, extra);

	return more < 0 ? more : (int)base + more;
}

/* Lengths 3..258 for the symbols 257..285, in groups of four that each need one bit more. */
static int read_length(struct stream *s, unsigned symbol)
{
	unsigned i = symbol - 257, extra = i < 8 ? 0 : i / 4 - 1;

	if (i >= MAX_LITLEN - 257)
		return -EBADMSG;
	if (i == 28)
		return 258;
	return take_from_base(s, i < 8 ? 3 + i : 3 + ((4 + i % 4) << extra), extra);
}

/* Distances 1..32768 for the symbols 0..29, in pairs. */
static int read_distance(struct stream *s, const struct code *dist)
{
	int i = code_read(dist, s);
	unsigned extra;

	if (i < 0)
		return i;
	if (i >= MAX_DIST)
		return -EBADMSG;
	extra = i < 4 ? 0 : (unsigned)i / 2 - 1;
	return take_from_base(s, i < 4 ? 1 + (unsigned)i : 1 + ((2 + (unsigned)i % 2) << extra),
			      extra);
}

static int read_block(struct stream *s, const struct code *litlen, const struct code *dist)
{
	for (;;) {
		int length, distance, r, symbol = code_read(litlen, s);

		if (symbol < 0)
			return symbol;
		if (symbol == END_OF_DATA)
			return 0;
		if (symbol < END_OF_DATA) {
			r = put_byte(s, (char)symbol);
		} else {
			length = read_length(s, (unsigned)symbol);
			distance = length < 0 ? length : read_distance(s, dist);
			r = distance < 0 ? distance
					 : put_copy(s, (unsigned)distance, (unsigned)length);
		}
		if (r < 0)
			return r;
	}
}

static int read_stored_block(struct stream *s)
{
	int length, complement;

	s->bits = 0; /* the rest of the byte the block header ended in */
	s->n_bits = 0;
	length = take_bits(s, 16);
	complement = take_bits(s, 16);
	if (length < 0 || complement < 0 || (length ^ complement) != 0xffff)
		return -EBADMSG;
	if ((size_t)length > s->in.n - s->at)
		return -EBADMSG;
	if (s->out->len > s->cap || (size_t)length > s->cap - s->out->len)
		return -EFBIG;
	strbuf_add(s->out, s->in.s + s->at, (size_t)length);
	s->at += (size_t)length;
	return 0;
}

static int read_fixed_block(struct stream *s)
{
	uint8_t lengths[N_LITLEN];
	struct code litlen, dist;
	int r;

	for (unsigned i = 0; i < N_LITLEN; i++)
		lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
	r = code_build(&litlen, lengths, N_LITLEN);
	for (unsigned i = 0; i < N_DIST; i++)
		lengths[i] = 5;
	if (r == 0)
		r = code_build(&dist, lengths, N_DIST);
	return r < 0 ? r : read_block(s, &litlen, &dist);
}

/* The code that the code lengths themselves are written in. */
static int read_length_code(struct stream *s, unsigned n, struct code *ret)
{
	static const uint8_t order[] = { 16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
					 11, 4,  12, 3, 13, 2, 14, 1, 15 };
	uint8_t lengths[ARRAY_SIZE(order)] = {};
	int total = 0;

	for (unsigned i = 0; i < n; i++) {
		int length = take_bits(s, 3);

		if (length < 0)
			return length;
		lengths[order[i]] = (uint8_t)length;
		if (length)
			total += 128 >> length;
	}
	/* Unlike the other two this one must be complete. */
	return total == 128 ? code_build(ret, lengths, ARRAY_SIZE(order)) : -EBADMSG;
}

/* Code lengths with runs: 16 repeats the last one, 17 and 18 stand for zeros. */
static int read_code_lengths(struct stream *s, const struct code *code, uint8_t *lengths,
			     unsigned n)
{
	for (unsigned i = 0; i < n;) {
		int symbol = code_read(code, s), run = 1;
		uint8_t value = 0;

		if (symbol < 0)
			return symbol;
		if (symbol < 16) {
			value = (uint8_t)symbol;
		} else if (symbol == 16) {
			if (i == 0)
				return -EBADMSG;
			value = lengths[i - 1];
			run = take_from_base(s, 3, 2);
		} else {
			run = symbol == 17 ? take_from_base(s, 3, 3) : take_from_base(s, 11, 7);
		}
		if (run < 0 || (unsigned)run > n - i)
			return -EBADMSG;
		while (run--)
			lengths[i++] = value;
	}
	return 0;
}

static int read_dynamic_block(struct stream *s)
{
	uint8_t lengths[MAX_LITLEN + MAX_DIST] = {};
	struct code code, litlen, dist;
	int n_litlen = take_from_base(s, 257, 5), n_dist = take_from_base(s, 1, 5),
	    n_code = take_from_base(s, 4, 4), r;

	if (n_litlen < 0 || n_dist < 0 || n_code < 0 || n_litlen > MAX_LITLEN || n_dist > MAX_DIST)
		return -EBADMSG;
	r = read_length_code(s, (unsigned)n_code, &code);
	if (r == 0)
		r = read_code_lengths(s, &code, lengths, (unsigned)(n_litlen + n_dist));
	if (r < 0)
		return r;
	if (!lengths[END_OF_DATA])
		return -EBADMSG;
	r = code_build(&litlen, lengths, (unsigned)n_litlen);
	if (r == 0)
		r = code_build(&dist, lengths + n_litlen, (unsigned)n_dist);
	return r < 0 ? r : read_block(s, &litlen, &dist);
}

int inflate_raw(struct slice in, size_t cap, struct strbuf *out, size_t *ret_used)
{
	struct stream s = { .in = in, .out = out, .start = out->len, .cap = cap };
	int last, r;

	do {
		last = take_bits(&s, 1);
		switch (last < 0 ? last : take_bits(&s, 2)) {
		case 0:
			r = read_stored_block(&s);
			break;
		case 1:
			r = read_fixed_block(&s);
			break;
		case 2:
			r = read_dynamic_block(&s);
			break;
		default:
			r = -EBADMSG;
		}
		if (r < 0)
			return r;
	} while (!last);
	*ret_used = s.at;
	return 0;
}
