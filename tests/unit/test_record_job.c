// SPDX-License-Identifier: GPL-2.0-only
#include "record/job.h"

#include <errno.h>
#include <string.h>

#include "unit.h"
#include "util/cleanup.h"

static void write_job(const struct job *job, struct strbuf *out)
{
	struct json_writer w;

	json_writer_init(&w, json_sink_strbuf, out, JSON_COMPACT);
	job_json(job, &w);
	assert_int_equal(json_writer_finish(&w), 0);
}

static void a_job_reads_as_it_was_written(void **state)
{
	_cleanup_(job_done) struct job job = {
		.kind = JOB_EXEC, .tty = true, .rows = 24, .cols = 80
	};
	_cleanup_(job_done) struct job again = JOB_INIT;
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct err err;

	(void)state;
	strv_add(&job.argv, "/bin/sh");
	strv_add(&job.argv, "-c");
	strv_add(&job.argv, "echo \"quoted\"\n\texit 1 # \xc3\xa4");
	strv_add(&job.argv, "");
	strv_add(&job.env, "A=b=c");
	job.cwd = strdup("/tmp");
	write_job(&job, &text);
	assert_int_equal(job_read(strbuf_slice(&text), &again, &err), 0);
	assert_int_equal(again.kind, JOB_EXEC);
	assert_int_equal(again.argv.n, 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(again.argv.v[i], job.argv.v[i]);
	assert_int_equal(again.env.n, 1);
	assert_string_equal(again.env.v[0], "A=b=c");
	assert_string_equal(again.cwd, "/tmp");
	assert_true(again.tty);
	assert_int_equal(again.rows, 24);
	assert_int_equal(again.cols, 80);
}

static void only_what_is_needed_has_to_be_there(void **state)
{
	_cleanup_(job_done) struct job job = JOB_INIT;
	struct err err;

	(void)state;
	assert_int_equal(job_read(SLICE_LIT("{\"argv\":[\"true\"],\"kind\":\"exec\",\"new\":{}}"),
				  &job, &err),
			 0);
	assert_string_equal(job.argv.v[0], "true");
	assert_false(job.tty);
	assert_null(job.cwd);
	assert_int_equal(job.env.n, 0);
}

static void a_shell_is_on_a_terminal(void **state)
{
	_cleanup_(job_done) struct job job = JOB_INIT;
	struct err err;

	(void)state;
	assert_int_equal(job_read(SLICE_LIT("{\"kind\":\"shell\",\"tty\":false,\"argv\":[\"x\"]}"),
				  &job, &err),
			 0);
	assert_true(job.tty);
	assert_int_equal(job.argv.n, 1);
	assert_string_equal(job.argv.v[0], "/bin/sh");
}

static void what_is_no_job_is_refused_with_the_reason(void **state)
{
	static const struct {
		const char *text, *words;
	} cases[] = {
		{ "", "" },
		{ "[]", "" },
		{ "{", "" },
		{ "{}", "no 'kind'" },
		{ "{\"kind\":\"dance\"}", "neither 'exec' nor 'shell'" },
		{ "{\"kind\":null}", "'kind'" },
		{ "{\"kind\":\"exec\"}", "'argv': no program" },
		{ "{\"kind\":\"exec\",\"argv\":[]}", "'argv': no program" },
		{ "{\"kind\":\"exec\",\"argv\":[\"\"]}", "'argv': no program" },
		{ "{\"kind\":\"exec\",\"argv\":[\"a\\u0000b\"]}", "NUL" },
		{ "{\"kind\":\"exec\",\"argv\":[1]}", "'argv'" },
		{ "{\"kind\":\"exec\",\"argv\":[\"a\"],\"argv\":[\"b\"]}", "argv" },
		{ "{\"kind\":\"exec\",\"argv\":[\"a\"],\"env\":[\"A\"]}", "no NAME=VALUE: 'A'" },
		{ "{\"kind\":\"exec\",\"argv\":[\"a\"],\"env\":[\"=A\"]}", "no NAME=VALUE: '=A'" },
		{ "{\"kind\":\"exec\",\"argv\":[\"a\"],\"cwd\":\"tmp\"}",
		  "not an absolute path: 'tmp'" },
		{ "{\"kind\":\"exec\",\"argv\":[\"a\"],\"rows\":65536}", "65536 rows" },
		{ "{\"kind\":\"exec\",\"argv\":[\"a\"],\"rows\":-1}", "'rows'" },
		{ "{\"kind\":\"exec\",\"argv\":[\"a\"]} x", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(job_done) struct job job = JOB_INIT;
		struct err err = {};

		print_message("# %s\n", cases[i].text);
		assert_true(job_read(slice_of(cases[i].text), &job, &err) < 0);
		assert_non_null(strstr(err.text, cases[i].words));
		assert_int_not_equal(err.text[0], '\0');
	}
}

static void strings_are_bounded(void **state)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	_cleanup_(job_done) struct job job = JOB_INIT;
	struct err err;

	(void)state;
	strbuf_addstr(&text, "{\"kind\":\"exec\",\"argv\":[\"");
	for (size_t i = 0; i <= JOB_STRING_MAX; i++)
		strbuf_addch(&text, 'a');
	strbuf_addstr(&text, "\"]}");
	assert_int_equal(job_read(strbuf_slice(&text), &job, &err), -E2BIG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_reads_as_it_was_written),
		cmocka_unit_test(only_what_is_needed_has_to_be_there),
		cmocka_unit_test(a_shell_is_on_a_terminal),
		cmocka_unit_test(what_is_no_job_is_refused_with_the_reason),
		cmocka_unit_test(strings_are_bounded),
	};

	return cmocka_run_group_tests_name("record_job", tests, NULL, NULL);
}
