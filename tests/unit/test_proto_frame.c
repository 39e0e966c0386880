// SPDX-License-Identifier: GPL-2.0-only
#include "proto/frame.h"

#include <errno.h>
#include <string.h>

#include "unit.h"
#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/compiler.h"

/* "abc" as standard output, as it is on the wire. */
#define SOUT_ABC                                                                                   \
	"TUOS\x03\0\0\0\xc2\x41\x24\x35\0\0\0\0"                                                   \
	"abc"

static void add_u32(struct strbuf *out, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		strbuf_addch(out, (char)(unsigned char)(v >> 8 * i));
}

/* A header by hand, with an empty payload's checksum unless told. */
static void add_header(struct strbuf *out, uint32_t type, uint32_t length, uint32_t crc,
		       uint32_t flags)
{
	add_u32(out, type);
	add_u32(out, length);
	add_u32(out, crc);
	add_u32(out, flags);
}

/* Bytes that differ from place to place. */
static void add_pattern(struct strbuf *out, size_t n)
{
	strbuf_grow(out, n);
	for (size_t i = 0; i < n; i++)
		strbuf_addch(out, (char)(unsigned char)(i * 7 + i / 251));
}

static void expect(struct frame_reader *r, uint32_t type, struct slice payload)
{
	struct frame f;

	assert_int_equal(frame_next(r, &f), 1);
	assert_int_equal(f.type, type);
	assert_true(slice_eq(f.payload, payload));
}

static void expect_no_more(struct frame_reader *r)
{
	struct frame f;

	assert_int_equal(frame_next(r, &f), 0);
}

static void a_type_is_its_letters_the_first_most_significant(void **state)
{
	char buf[12];

	(void)state;
	assert_int_equal(FRAME_STIM, 0x5354494d);
	assert_string_equal(frame_type_name(FRAME_STIM, buf), "STIM");
	assert_string_equal(frame_type_name(FRAME_SRDY, buf), "SRDY");
	assert_string_equal(frame_type_name(0x5354494e, buf), "0x5354494e");
	assert_string_equal(frame_type_name(UINT32_MAX, buf), "0xffffffff");
}

static void a_message_is_a_header_of_16_bytes_and_its_payload(void **state)
{
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
	char header[FRAME_HEADER_BYTES];

	(void)state;
	frame_encode(FRAME_SOUT, SLICE_LIT("abc"), &out);
	assert_true(slice_eq(strbuf_slice(&out), SLICE_LIT(SOUT_ABC)));
	assert_int_equal(frame_size(strbuf_slice(&out)), out.len);
	frame_header(FRAME_SOUT, SLICE_LIT("abc"), header);
	assert_memory_equal(header, SOUT_ABC, sizeof(header));
	strbuf_reset(&out);
	frame_encode(FRAME_STDN, SLICE_LIT(""), &out);
	assert_true(slice_eq(strbuf_slice(&out), SLICE_LIT("NDTS\0\0\0\0\0\0\0\0\0\0\0\0")));
}

/* Takes all messages there are: how many, and the types in a row. */
static unsigned drain(struct frame_reader *r, struct strbuf *types)
{
	struct frame f;
	char name[12];
	unsigned n = 0;

	for (; frame_next(r, &f) == 1; n++)
		strbuf_addf(types, "%s:%zu ", frame_type_name(f.type, name), f.payload.n);
	return n;
}

static void a_stream_may_be_cut_anywhere(void **state)
{
	_cleanup_(strbuf_done) struct strbuf stream = STRBUF_INIT;

	(void)state;
	frame_encode(FRAME_SRDY, SLICE_LIT("{}"), &stream);
	frame_encode(FRAME_STDN, SLICE_LIT(""), &stream);
	frame_encode(FRAME_SOUT, SLICE_LIT("some output\n"), &stream);
	for (size_t cut = 0; cut <= stream.len; cut++) {
		_cleanup_(frame_reader_done) struct frame_reader r = FRAME_READER_INIT;
		_cleanup_(strbuf_done) struct strbuf types = STRBUF_INIT;
		unsigned n;

		frame_reader_feed(&r, stream.s, cut);
		n = drain(&r, &types);
		frame_reader_feed(&r, stream.s + cut, stream.len - cut);
		n += drain(&r, &types);
		assert_int_equal(n, 3);
		assert_string_equal(types.s, "SRDY:2 STDN:0 SOUT:12 ");
	}
}

static void a_stream_may_come_byte_by_byte(void **state)
{
	_cleanup_(strbuf_done) struct strbuf stream = STRBUF_INIT, big = STRBUF_INIT;
	_cleanup_(frame_reader_done) struct frame_reader r = FRAME_READER_INIT;
	struct frame f;
	unsigned n = 0;

	(void)state;
	add_pattern(&big, FRAME_PAYLOAD_MAX + 5);
	frame_encode(FRAME_SERR, SLICE_LIT("first"), &stream);
	frame_encode(FRAME_TEST, strbuf_slice(&big), &stream);
	for (size_t i = 0; i < stream.len; i++) {
		frame_reader_feed(&r, stream.s + i, 1);
		if (frame_next(&r, &f) == 1)
			n++;
	}
	assert_int_equal(n, 2);
	assert_true(slice_eq(f.payload, strbuf_slice(&big)));
}

static void large_messages_are_split_and_joined(void **state)
{
	static const struct {
		size_t bytes, frames;
	} cases[] = {
		{ 0, 1 },
		{ 1, 1 },
		{ FRAME_PAYLOAD_MAX - 1, 1 },
		{ FRAME_PAYLOAD_MAX, 1 },
		{ FRAME_PAYLOAD_MAX + 1, 2 },
		{ 2 * FRAME_PAYLOAD_MAX, 2 },
		{ 2 * FRAME_PAYLOAD_MAX + 1, 3 },
		{ 1000000, 31 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(strbuf_done) struct strbuf payload = STRBUF_INIT, stream = STRBUF_INIT;
		_cleanup_(frame_reader_done) struct frame_reader r = FRAME_READER_INIT;
		struct slice rest;
		size_t frames = 0;

		add_pattern(&payload, cases[i].bytes);
		frame_encode(FRAME_TEST, strbuf_slice(&payload), &stream);
		for (rest = strbuf_slice(&stream); rest.n; frames++) {
			size_t n = frame_size(rest);

			assert_in_range(n, FRAME_HEADER_BYTES, 32 * 1024);
			rest = (struct slice){ rest.s + n, rest.n - n };
		}
		assert_int_equal(frames, cases[i].frames);
		frame_encode(FRAME_EXIT, SLICE_LIT("\0\0\0\0"), &stream);
		frame_reader_feed(&r, stream.s, stream.len);
		expect(&r, FRAME_TEST, strbuf_slice(&payload));
		expect(&r, FRAME_EXIT, SLICE_LIT("\0\0\0\0"));
		expect_no_more(&r);
	}
}

static void a_violation_is_told_and_stays(void **state)
{
	static const struct {
		const char *label;
		uint32_t type, length, flags;
		const char *why;
	} cases[] = {
		{ "zeros", 0, 0, 0, "a frame of type 0x00000000" },
		{ "small letters", 0x736f7574, 0, 0, "a frame of type 0x736f7574" },
		{ "one byte too long", FRAME_SOUT, FRAME_PAYLOAD_MAX + 1, 0,
		  "a frame SOUT of 32753 bytes, at most 32752 are possible" },
		{ "the longest length", FRAME_SOUT, UINT32_MAX, 0,
		  "a frame SOUT of 4294967295 bytes, at most 32752 are possible" },
		{ "unknown flags", FRAME_SOUT, 0, 0x80, "a frame SOUT with unknown flags 0x80" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(frame_reader_done) struct frame_reader r = FRAME_READER_INIT;
		_cleanup_(strbuf_done) struct strbuf stream = STRBUF_INIT;
		struct frame f;

		print_message("# %s\n", cases[i].label);
		frame_encode(FRAME_SOUT, SLICE_LIT("good"), &stream);
		add_header(&stream, cases[i].type, cases[i].length, 0, cases[i].flags);
		frame_reader_feed(&r, stream.s, stream.len);
		expect(&r, FRAME_SOUT, SLICE_LIT("good"));
		assert_int_equal(frame_next(&r, &f), -EPROTO);
		assert_string_equal(r.why.text, cases[i].why);
		for (int again = 0; again < 100; again++) {
			frame_reader_feed(&r, stream.s, stream.len);
			assert_int_equal(frame_next(&r, &f), -EPROTO);
		}
		assert_int_equal(r.input.cap + r.message.cap, 0);
	}
}

static void another_type_inside_a_message_is_a_violation(void **state)
{
	_cleanup_(frame_reader_done) struct frame_reader r = FRAME_READER_INIT;
	_cleanup_(strbuf_done) struct strbuf stream = STRBUF_INIT;
	struct frame f;

	(void)state;
	add_header(&stream, FRAME_TEST, 0, 0, 1);
	add_header(&stream, FRAME_SOUT, 0, 0, 0);
	frame_reader_feed(&r, stream.s, stream.len);
	assert_int_equal(frame_next(&r, &f), -EPROTO);
	assert_string_equal(r.why.text, "a frame SOUT inside a message TEST");
}

static void a_message_has_a_limit(void **state)
{
	_cleanup_(frame_reader_done) struct frame_reader r = FRAME_READER_INIT;
	_cleanup_(strbuf_done) struct strbuf part = STRBUF_INIT, last = STRBUF_INIT;
	struct frame f;
	size_t sent = 0;

	(void)state;
	/* All but the last byte of what fits, in frames that promise more. */
	add_pattern(&part, FRAME_PAYLOAD_MAX + 1);
	frame_encode(FRAME_TEST, strbuf_slice(&part), &last);
	while (FRAME_MESSAGE_MAX - sent > FRAME_PAYLOAD_MAX) {
		frame_reader_feed(&r, last.s, FRAME_HEADER_BYTES + FRAME_PAYLOAD_MAX);
		sent += FRAME_PAYLOAD_MAX;
		expect_no_more(&r);
	}
	strbuf_reset(&last);
	frame_encode(FRAME_TEST, (struct slice){ part.s, FRAME_MESSAGE_MAX - sent }, &last);
	frame_reader_feed(&r, last.s, last.len);
	assert_int_equal(frame_next(&r, &f), 1);
	assert_int_equal(f.payload.n, FRAME_MESSAGE_MAX);

	/* And one byte more. */
	strbuf_reset(&last);
	frame_encode(FRAME_TEST, strbuf_slice(&part), &last);
	for (sent = 0; sent + FRAME_PAYLOAD_MAX <= FRAME_MESSAGE_MAX; sent += FRAME_PAYLOAD_MAX) {
		frame_reader_feed(&r, last.s, FRAME_HEADER_BYTES + FRAME_PAYLOAD_MAX);
		expect_no_more(&r);
	}
	frame_reader_feed(&r, last.s, FRAME_HEADER_BYTES + FRAME_PAYLOAD_MAX);
	assert_int_equal(frame_next(&r, &f), -EPROTO);
	assert_string_equal(r.why.text, "a message TEST of more than 67108864 bytes");
}

static void a_frame_with_a_wrong_checksum_is_dropped_and_counted(void **state)
{
	_cleanup_(frame_reader_done) struct frame_reader r = FRAME_READER_INIT;
	_cleanup_(strbuf_done) struct strbuf stream = STRBUF_INIT;

	(void)state;
	frame_encode(FRAME_SOUT, SLICE_LIT("damaged"), &stream);
	stream.s[FRAME_HEADER_BYTES] ^= 1;
	frame_encode(FRAME_SOUT, SLICE_LIT("whole"), &stream);
	frame_reader_feed(&r, stream.s, stream.len);
	expect(&r, FRAME_SOUT, SLICE_LIT("whole"));
	expect_no_more(&r);
	assert_int_equal(r.bad_crc, 1);
}

static void a_damaged_frame_takes_its_message_with_it(void **state)
{
	_cleanup_(strbuf_done) struct strbuf payload = STRBUF_INIT;

	(void)state;
	add_pattern(&payload, 3 * FRAME_PAYLOAD_MAX);
	for (size_t bad = 0; bad < 3; bad++) {
		_cleanup_(frame_reader_done) struct frame_reader r = FRAME_READER_INIT;
		_cleanup_(strbuf_done) struct strbuf stream = STRBUF_INIT;

		frame_encode(FRAME_TEST, strbuf_slice(&payload), &stream);
		stream.s[bad * (FRAME_HEADER_BYTES + FRAME_PAYLOAD_MAX) + FRAME_HEADER_BYTES] ^= 1;
		frame_encode(FRAME_TEST, SLICE_LIT("next"), &stream);
		frame_reader_feed(&r, stream.s, stream.len);
		expect(&r, FRAME_TEST, SLICE_LIT("next"));
		expect_no_more(&r);
		assert_int_equal(r.bad_crc, 1);
	}
}

static void every_flipped_bit_is_noticed_or_harmless(void **state)
{
	static const char frame[] = SOUT_ABC;

	(void)state;
	for (size_t bit = 0; bit < 8 * (sizeof(frame) - 1); bit++) {
		_cleanup_(frame_reader_done) struct frame_reader r = FRAME_READER_INIT;
		char copy[sizeof(frame)];
		struct frame f;
		int got;

		memcpy(copy, frame, sizeof(frame));
		copy[bit / 8] = (char)(copy[bit / 8] ^ 1 << bit % 8);
		frame_reader_feed(&r, copy, sizeof(frame) - 1);
		got = frame_next(&r, &f);
		/* The type is not summed: another one may come out, never another payload. */
		if (got == 1)
			assert_true(f.type != FRAME_SOUT && slice_is(f.payload, "abc"));
		else
			assert_true(got == -EPROTO || r.bad_crc || r.in_message ||
				    r.input.len > r.at);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_type_is_its_letters_the_first_most_significant),
		cmocka_unit_test(a_message_is_a_header_of_16_bytes_and_its_payload),
		cmocka_unit_test(a_stream_may_be_cut_anywhere),
		cmocka_unit_test(a_stream_may_come_byte_by_byte),
		cmocka_unit_test(large_messages_are_split_and_joined),
		cmocka_unit_test(a_violation_is_told_and_stays),
		cmocka_unit_test(another_type_inside_a_message_is_a_violation),
		cmocka_unit_test(a_message_has_a_limit),
		cmocka_unit_test(a_frame_with_a_wrong_checksum_is_dropped_and_counted),
		cmocka_unit_test(a_damaged_frame_takes_its_message_with_it),
		cmocka_unit_test(every_flipped_bit_is_noticed_or_harmless),
	};

	return cmocka_run_group_tests_name("proto_frame", tests, NULL, NULL);
}
