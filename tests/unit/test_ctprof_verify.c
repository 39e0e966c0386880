// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/verify.h"

#include "snapshot_make.h"
#include "unit.h"
#include "util/cleanup.h"

static const char *first_note(struct snapshot_notes *notes)
{
	return notes->list.n ? notes->list.v[0] : "";
}

static void what_a_capture_makes_agrees_with_itself(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < soak_rounds(10); seed++) {
		_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;
		_cleanup_(notes_done) struct snapshot_notes notes = {};

		make_snapshot(seed, 50, 2, &s);
		s.schema_name = SNAPSHOT_SCHEMA;
		s.capture.end_boottime_ns = UINT64_MAX;
		snapshot_check(&s, &notes);
		assert_string_equal(first_note(&notes), "");
	}
}

static void repeat_thread(struct snapshot *s)
{
	s->threads.v[3].tid = s->threads.v[2].tid;
}

static void spoil_state(struct snapshot *s)
{
	s->threads.v[4].state.v = '7';
}

static void unknown_state(struct snapshot *s)
{
	s->threads.v[4].state.v = '~';
}

static void one_more_absent(struct snapshot *s)
{
	s->threads.v[0].absent[READING_IO] = ABSENCE_ENDED;
}

static void one_less_told(struct snapshot *s)
{
	vec_push(&s->absence, (struct snapshot_absence){ "smaps", ABSENCE_ERROR, 1 });
}

static void told_of_something_else(struct snapshot *s)
{
	vec_push(&s->absence, (struct snapshot_absence){ "psi", ABSENCE_ERROR, 4 });
}

static void of_others(struct snapshot *s)
{
	s->schema_name = NULL;
	one_more_absent(s);
}

static void end_too_early(struct snapshot *s)
{
	s->capture.start_boottime_ns = 2;
	s->capture.end_boottime_ns = 1;
}

static void each_contradiction_is_noted(void **state)
{
	static const struct {
		void (*spoil)(struct snapshot *s);
		const char *note;
	} rows[] = {
		{ repeat_thread, "thread 1002 of process 1000 comes twice" },
		{ spoil_state, "the state of thread 1004 is no letter: 0x37" },
		{ unknown_state, "" },
		{ one_more_absent, "'io' is absent (ended) 1 times, 'absence' says 0" },
		{ one_less_told, "'smaps' is absent (error) 0 times, 'absence' says 1" },
		{ told_of_something_else, "" },
		{ of_others, "" },
		{ end_too_early, "the capture ends before it begins" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;
		_cleanup_(notes_done) struct snapshot_notes notes = {};

		make_snapshot(1, 8, 0, &s);
		s.schema_name = SNAPSHOT_SCHEMA;
		s.capture.end_boottime_ns = UINT64_MAX;
		s.absence.n = 0;
		for (size_t k = 0; k < s.threads.n; k++)
			memset(s.threads.v[k].absent, 0, sizeof(s.threads.v[k].absent));
		rows[i].spoil(&s);
		snapshot_check(&s, &notes);
		assert_string_equal(first_note(&notes), rows[i].note);
	}
}

static void notes_are_not_kept_without_end(void **state)
{
	_cleanup_(notes_done) struct snapshot_notes notes = {};

	(void)state;
	for (int i = 0; i < NOTES_MAX + 5; i++)
		notes_add(&notes, "note %d", i);
	assert_int_equal(notes.list.n, NOTES_MAX);
	assert_int_equal(notes.left_out, 5);
	notes_add(NULL, "nobody listens");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_capture_makes_agrees_with_itself),
		cmocka_unit_test(each_contradiction_is_noted),
		cmocka_unit_test(notes_are_not_kept_without_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
