// SPDX-License-Identifier: GPL-2.0-only
/* Bytes as QEMU 7.2 wrote them, whole, in pieces, and spoilt. */
#include "vm/qmp.h"

#include <errno.h>
#include <string.h>

#include "unit.h"
#include "util/alloc.h"
#include "util/cleanup.h"

#define SECOND UINT64_C(1000000000)

#define GREETING                                                                                   \
	"{\"QMP\": {\"version\": {\"qemu\": {\"micro\": 22, \"minor\": 2, \"major\": 7}, "         \
	"\"package\": \"Debian 1:7.2+dfsg-7+deb12u18+b3\"}, \"capabilities\": [\"oob\"]}}\r\n"
#define ACCEPTED "{\"return\": {}, \"id\": 1}\r\n"
#define STATUS                                                                                     \
	"{\"return\": {\"status\": \"internal-error\", \"singlestep\": false, \"running\": "       \
	"false}, \"id\": 2}\r\n"
#define UNKNOWN                                                                                    \
	"{\"id\": 3, \"error\": {\"class\": \"CommandNotFound\", \"desc\": \"The command nope "    \
	"has "                                                                                     \
	"not been found\"}}\r\n"
#define SHUTDOWN                                                                                   \
	"{\"timestamp\": {\"seconds\": 1794754060, \"microseconds\": 661425}, \"event\": "         \
	"\"SHUTDOWN\", \"data\": {\"guest\": true, \"reason\": \"guest-reset\"}}\r\n"
#define STOP                                                                                       \
	"{\"timestamp\": {\"seconds\": 1794754060, \"microseconds\": 1}, \"event\": \"STOP\"}\r\n"

static void feed(struct qmp *q, const char *text)
{
	qmp_feed(q, text, strlen(text));
}

static void check_session(struct qmp *q)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct qmp_message m;

	assert_int_equal(qmp_next(q, &m), 1);
	assert_int_equal(m.kind, QMP_GREETING);
	assert_int_equal(qmp_next(q, &m), 1);
	assert_int_equal(m.kind, QMP_RETURN);
	assert_string_equal(m.name, "qmp_capabilities");
	assert_int_equal(qmp_next(q, &m), 1);
	assert_int_equal(m.kind, QMP_EVENT);
	assert_string_equal(m.name, "STOP");
	assert_int_equal(m.data.n, 0);
	assert_int_equal(qmp_next(q, &m), 1);
	assert_int_equal(m.kind, QMP_RETURN);
	assert_string_equal(m.name, "query-status");
	assert_int_equal(qmp_string(m.data, "status", &text), 1);
	assert_string_equal(text.s, "internal-error");
	strbuf_reset(&text);
	assert_int_equal(qmp_string(m.data, "running", &text), 0); /* no string */
	assert_int_equal(qmp_string(m.data, "reason", &text), 0);
	assert_int_equal(qmp_next(q, &m), 1);
	assert_int_equal(m.kind, QMP_ERROR);
	assert_string_equal(m.name, "nope");
	assert_int_equal(qmp_next(q, &m), 1);
	assert_int_equal(m.kind, QMP_EVENT);
	assert_int_equal(qmp_string(m.data, "reason", &text), 1);
	assert_string_equal(text.s, "guest-reset");
	assert_int_equal(qmp_next(q, &m), 0);
}

static const char session[] = GREETING ACCEPTED STOP STATUS UNKNOWN SHUTDOWN;

static void a_session_is_understood(void **state)
{
	struct qmp q;

	(void)state;
	qmp_init(&q, 0, SECOND);
	assert_int_equal(qmp_execute(&q, "query-status", 0), 2);
	assert_int_equal(qmp_execute(&q, "nope", 0), 3);
	assert_string_equal(q.output.s, "{\"execute\":\"qmp_capabilities\",\"id\":1}\n"
					"{\"execute\":\"query-status\",\"id\":2}\n"
					"{\"execute\":\"nope\",\"id\":3}\n");
	feed(&q, session);
	check_session(&q);
	assert_int_equal(qmp_deadline(&q, NULL), UINT64_MAX);
	qmp_done(&q);
}

static void pieces_of_any_size_are_the_same(void **state)
{
	(void)state;
	for (size_t piece = 1; piece < 300; piece++) {
		struct qmp q;
		struct qmp_message m;
		unsigned n = 0;

		qmp_init(&q, 0, SECOND);
		(void)qmp_execute(&q, "query-status", 0);
		(void)qmp_execute(&q, "nope", 0);
		for (size_t at = 0; at < strlen(session); at += piece) {
			size_t rest = strlen(session) - at;

			qmp_feed(&q, session + at, rest < piece ? rest : piece);
			while (qmp_next(&q, &m) > 0)
				n++;
		}
		assert_int_equal(n, 6);
		assert_false(q.broken);
		qmp_done(&q);
	}
}

static void an_answer_is_owed_until_it_comes(void **state)
{
	const char *name = NULL;
	struct qmp_message m;
	struct qmp q;

	(void)state;
	qmp_init(&q, 5 * SECOND, 2 * SECOND);
	assert_int_equal(qmp_deadline(&q, &name), 7 * SECOND);
	assert_string_equal(name, "the greeting");
	feed(&q, GREETING);
	assert_int_equal(qmp_next(&q, &m), 1);
	assert_int_equal(qmp_deadline(&q, &name), 7 * SECOND);
	assert_string_equal(name, "qmp_capabilities");
	feed(&q, ACCEPTED);
	assert_int_equal(qmp_next(&q, &m), 1);
	assert_int_equal(qmp_deadline(&q, &name), UINT64_MAX);
	assert_int_equal(qmp_execute(&q, "query-status", 9 * SECOND), 2);
	assert_int_equal(qmp_deadline(&q, &name), 11 * SECOND);
	/* An event is no answer. */
	feed(&q, STOP);
	assert_int_equal(qmp_next(&q, &m), 1);
	assert_int_equal(qmp_deadline(&q, &name), 11 * SECOND);
	qmp_done(&q);
}

static void questions_without_answers_are_bounded(void **state)
{
	struct qmp q;

	(void)state;
	qmp_init(&q, 0, SECOND);
	for (unsigned i = 2; i < QMP_COMMANDS_MAX; i++)
		assert_true(qmp_execute(&q, "query-status", 0) > 0);
	assert_int_equal(qmp_execute(&q, "query-status", 0), 0);
	qmp_done(&q);
}

static void what_is_no_qmp_is_refused_for_good(void **state)
{
	static const struct {
		const char *label, *text;
	} rows[] = {
		{ "another protocol", "220 mail.example.org ESMTP\r\n" },
		{ "an array", "[1, 2]\r\n" },
		{ "nothing on a line", "\r\n" },
		{ "an event before the greeting", STOP },
		{ "an answer before the greeting", ACCEPTED },
		{ "two greetings", GREETING GREETING },
		{ "an answer to nothing", GREETING ACCEPTED ACCEPTED },
		{ "an answer without id", GREETING "{\"return\": {}}\r\n" },
		{ "an error without id", GREETING "{\"error\": {\"class\": \"G\"}}\r\n" },
		{ "neither event nor answer", GREETING "{\"id\": 1}\r\n" },
		{ "two values", GREETING "{\"event\": \"STOP\"} {}\r\n" },
		{ "a negative id", GREETING "{\"return\": {}, \"id\": -1}\r\n" },
		{ "cut", GREETING "{\"return\": {\r\n" },
		{ "too deep",
		  GREETING "{\"event\": [[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]}\r\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct qmp_message m;
		struct qmp q;
		int r;

		print_message("# %s\n", rows[i].label);
		qmp_init(&q, 0, SECOND);
		feed(&q, rows[i].text);
		while ((r = qmp_next(&q, &m)) > 0)
			;
		assert_int_equal(r, -EPROTO);
		assert_non_null(strstr(q.why.text, "machine protocol violated"));
		feed(&q, GREETING);
		assert_int_equal(qmp_next(&q, &m), -EPROTO);
		qmp_done(&q);
	}
}

static void a_line_without_end_is_refused(void **state)
{
	_cleanup_free_ char *block = xmalloc(65536);
	struct qmp_message m;
	struct qmp q;
	int r = 0;

	(void)state;
	memset(block, ' ', 65536);
	qmp_init(&q, 0, SECOND);
	for (unsigned i = 0; i < 64 && r == 0; i++) {
		qmp_feed(&q, block, 65536);
		r = qmp_next(&q, &m);
	}
	assert_int_equal(r, -EPROTO);
	assert_true(q.input.len <= QMP_LINE_MAX + 65536);
	qmp_done(&q);
}

static void long_names_are_cut(void **state)
{
	_cleanup_(strbuf_done) struct strbuf line = STRBUF_INIT;
	struct qmp_message m;
	struct qmp q;

	(void)state;
	strbuf_addstr(&line, GREETING "{\"event\": \"");
	for (int i = 0; i < 1000; i++)
		strbuf_addch(&line, 'X');
	strbuf_addstr(&line, "\"}\r\n");
	qmp_init(&q, 0, SECOND);
	feed(&q, line.s);
	assert_int_equal(qmp_next(&q, &m), 1);
	assert_int_equal(qmp_next(&q, &m), 1);
	assert_int_equal(strlen(m.name), sizeof(m.name) - 1);
	qmp_done(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_session_is_understood),
		cmocka_unit_test(pieces_of_any_size_are_the_same),
		cmocka_unit_test(an_answer_is_owed_until_it_comes),
		cmocka_unit_test(questions_without_answers_are_bounded),
		cmocka_unit_test(what_is_no_qmp_is_refused_for_good),
		cmocka_unit_test(a_line_without_end_is_refused),
		cmocka_unit_test(long_names_are_cut),
	};

	return cmocka_run_group_tests_name("qmp", tests, NULL, NULL);
}
