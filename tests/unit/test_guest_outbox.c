// SPDX-License-Identifier: GPL-2.0-only
#include "guest/outbox.h"

#include <string.h>

#include "proto/frame.h"
#include "unit.h"
#include "util/cleanup.h"

static const char zeros[FRAME_PAYLOAD_MAX];

static void add(struct outbox *out, enum outbox_lane lane, size_t n)
{
	outbox_add(out, lane, lane == LANE_MAIN ? FRAME_SOUT : FRAME_DMSG,
		   (struct slice){ zeros, n });
}

/* What the port sees when it takes @at_most bytes a write, as the letters of its frames. */
static void drain(struct outbox *out, size_t at_most, struct strbuf *seen)
{
	_cleanup_(frame_reader_done) struct frame_reader r = FRAME_READER_INIT;
	struct slice next;
	struct frame f;

	while ((next = outbox_next(out)).n) {
		size_t n = next.n < at_most ? next.n : at_most;

		assert_true(next.n <= FRAME_HEADER_BYTES + FRAME_PAYLOAD_MAX);
		frame_reader_feed(&r, next.s, n);
		outbox_sent(out, n);
		while (frame_next(&r, &f) == 1)
			strbuf_addch(seen, f.type == FRAME_SOUT ? 'o' : 'k');
	}
	assert_int_equal(r.broken, 0);
	assert_int_equal(r.at, r.input.len);
}

static void small_frames_share_a_write(void **state)
{
	_cleanup_(outbox_done) struct outbox out = OUTBOX_INIT;

	(void)state;
	for (int i = 0; i < 3; i++)
		add(&out, LANE_MAIN, 100);
	assert_int_equal(outbox_next(&out).n, 3 * (FRAME_HEADER_BYTES + 100));
	outbox_sent(&out, outbox_next(&out).n);
	assert_int_equal(outbox_next(&out).n, 0);
	assert_true(outbox_is_empty(&out, LANE_MAIN));
}

static void lanes_take_turns(void **state)
{
	_cleanup_(outbox_done) struct outbox out = OUTBOX_INIT;
	_cleanup_(strbuf_done) struct strbuf seen = STRBUF_INIT;

	(void)state;
	for (int i = 0; i < 6; i++)
		add(&out, LANE_MAIN, FRAME_PAYLOAD_MAX);
	for (int i = 0; i < 2; i++)
		add(&out, LANE_LOG, FRAME_PAYLOAD_MAX);
	drain(&out, SIZE_MAX, &seen);
	assert_string_equal(seen.s, "okokoooo");
}

static void frames_stay_whole_however_little_a_write_moves(void **state)
{
	static const size_t at_most[] = { 1, 7, 16, 17, 1000, 32768 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(at_most); i++) {
		_cleanup_(outbox_done) struct outbox out = OUTBOX_INIT;
		_cleanup_(strbuf_done) struct strbuf seen = STRBUF_INIT;

		for (size_t n = 0; n < 20; n++) {
			add(&out, LANE_MAIN, n * 37);
			add(&out, LANE_LOG, n * 11);
		}
		drain(&out, at_most[i], &seen);
		assert_int_equal(seen.len, 40);
	}
}

static void a_lane_says_when_it_has_enough(void **state)
{
	_cleanup_(outbox_done) struct outbox out = OUTBOX_INIT;
	unsigned main = 0, log = 0;

	(void)state;
	for (; outbox_has_room(&out, LANE_MAIN); main++)
		add(&out, LANE_MAIN, FRAME_PAYLOAD_MAX);
	for (; outbox_has_room(&out, LANE_LOG); log++)
		add(&out, LANE_LOG, FRAME_PAYLOAD_MAX);
	assert_int_equal(main, 8);
	assert_int_equal(log, 2);
	outbox_sent(&out, outbox_next(&out).n);
	assert_true(outbox_has_room(&out, LANE_MAIN));
	assert_false(outbox_has_room(&out, LANE_LOG));
}

static void memory_does_not_grow_with_what_passed(void **state)
{
	_cleanup_(outbox_done) struct outbox out = OUTBOX_INIT;

	(void)state;
	/* Never empty: one frame always waits. */
	add(&out, LANE_MAIN, FRAME_PAYLOAD_MAX);
	for (int i = 0; i < 1000; i++) {
		add(&out, LANE_MAIN, FRAME_PAYLOAD_MAX);
		outbox_sent(&out, outbox_next(&out).n);
	}
	assert_true(out.queue[LANE_MAIN].frames.cap < 8 * sizeof(zeros));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_frames_share_a_write),
		cmocka_unit_test(lanes_take_turns),
		cmocka_unit_test(frames_stay_whole_however_little_a_write_moves),
		cmocka_unit_test(a_lane_says_when_it_has_enough),
		cmocka_unit_test(memory_does_not_grow_with_what_passed),
	};

	return cmocka_run_group_tests_name("guest_outbox", tests, NULL, NULL);
}
