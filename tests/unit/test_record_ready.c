// SPDX-License-Identifier: GPL-2.0-only
#include "record/ready.h"

#include <errno.h>
#include <string.h>

#include "unit.h"
#include "util/cleanup.h"

#define EXAMPLE                                                                                    \
	"{\"protocol\":1,\"kernel\":\"6.12.0\",\"boot_id\":\"a-b\",\"mem_total_kb\":249856,"       \
	"\"topology\":{\"nodes\":[0,1,2],\"cpu\":[0,1],\"llc\":[0,1],\"core\":[0,1],\"node\":[0,"  \
	"1]},\"notes\":[\"no bpf\"]}"

static void a_report_reads_as_it_was_written(void **state)
{
	_cleanup_(ready_done) struct ready ready = READY_INIT;
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct json_writer w;
	struct err err;

	(void)state;
	assert_int_equal(ready_read(SLICE_LIT(EXAMPLE), &ready, &err), 0);
	assert_int_equal(ready.mem_total_kb, 249856);
	assert_int_equal(ready.topology.nodes.ids.n, 3);
	assert_int_equal(ready.topology.llc.ids.v[1], 1);
	json_writer_init(&w, json_sink_strbuf, &text, JSON_COMPACT);
	ready_json(&ready, &w);
	assert_int_equal(json_writer_finish(&w), 0);
	assert_string_equal(text.s, EXAMPLE);
}

static void what_is_not_known_is_left_out(void **state)
{
	_cleanup_(ready_done) struct ready ready = READY_INIT;
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct json_writer w;

	(void)state;
	ready.protocol = READY_PROTOCOL;
	json_writer_init(&w, json_sink_strbuf, &text, JSON_COMPACT);
	ready_json(&ready, &w);
	assert_int_equal(json_writer_finish(&w), 0);
	assert_null(strstr(text.s, "kernel"));
	assert_null(strstr(text.s, "mem_total_kb"));
}

static void a_guest_may_say_anything(void **state)
{
	static const struct {
		const char *text;
		int outcome;
	} cases[] = {
		{ "", -EBADMSG },
		{ "\x7f"
		  "ELF",
		  -EBADMSG },
		{ "[1]", -EBADMSG },
		{ "{\"protocol\":\"1\"}", -EBADMSG },
		{ "{\"protocol\":99999999999}", -ERANGE },
		{ "{\"topology\":{\"cpu\":[0,1],\"llc\":[0],\"core\":[0,1],\"node\":[0,1]}}",
		  -EBADMSG },
		{ "{\"topology\":{\"cpu\":[-1]}}", -ERANGE },
		{ "{\"topology\":{\"cpu\":{}}}", -EBADMSG },
		{ "{\"kernel\":\"6\",\"kernel\":\"7\"}", -EBADMSG },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(ready_done) struct ready ready = READY_INIT;
		struct err err = {};

		print_message("# %s\n", cases[i].text);
		assert_int_equal(ready_read(slice_of(cases[i].text), &ready, &err),
				 cases[i].outcome);
		assert_int_not_equal(err.text[0], '\0');
	}
}

static void lists_and_notes_are_bounded(void **state)
{
	static const struct {
		const char *before, *element, *after;
		unsigned most;
	} cases[] = {
		{ "{\"topology\":{\"nodes\":[0", ",1", "]}}", READY_LIST_MAX },
		{ "{\"notes\":[\"\"", ",\"\"", "]}", READY_NOTES_MAX },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		for (unsigned more = 0; more < 2; more++) {
			_cleanup_(ready_done) struct ready ready = READY_INIT;
			_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
			struct err err;

			strbuf_addstr(&text, cases[i].before);
			for (unsigned n = 1; n < cases[i].most + more; n++)
				strbuf_addstr(&text, cases[i].element);
			strbuf_addstr(&text, cases[i].after);
			assert_int_equal(ready_read(strbuf_slice(&text), &ready, &err),
					 more ? -E2BIG : 0);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_reads_as_it_was_written),
		cmocka_unit_test(what_is_not_known_is_left_out),
		cmocka_unit_test(a_guest_may_say_anything),
		cmocka_unit_test(lists_and_notes_are_bounded),
	};

	return cmocka_run_group_tests_name("record_ready", tests, NULL, NULL);
}
