// SPDX-License-Identifier: GPL-2.0-only
#include "vm/qmp.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "util/cleanup.h"
#include "json/reader.h"

static const struct json_limits line_limits = {
	.depth = 16,
	.bytes = QMP_LINE_MAX,
	.string_bytes = 64u * 1024,
};

static void expect(struct qmp *q, uint64_t id, const char *name, uint64_t now_ns)
{
	q->pending[q->n_pending++] = (struct qmp_command){ id, now_ns + q->answer_ns, name };
}

void qmp_init(struct qmp *q, uint64_t now_ns, uint64_t answer_ns)
{
	*q = (struct qmp){ .input = STRBUF_INIT, .output = STRBUF_INIT, .answer_ns = answer_ns };
	expect(q, 0, "the greeting", now_ns);
	(void)qmp_execute(q, "qmp_capabilities", now_ns);
}

void qmp_done(struct qmp *q)
{
	strbuf_done(&q->input);
	strbuf_done(&q->output);
}

uint64_t qmp_execute(struct qmp *q, const char *name, uint64_t now_ns)
{
	if (q->n_pending == QMP_COMMANDS_MAX)
		return 0;
	/* QEMU reads what came before its greeting only after it: no need to wait. */
	strbuf_addf(&q->output, "{\"execute\":\"%s\",\"id\":%" PRIu64 "}\n", name, ++q->last_id);
	expect(q, q->last_id, name, now_ns);
	return q->last_id;
}

uint64_t qmp_deadline(const struct qmp *q, const char **ret_name)
{
	if (!q->n_pending)
		return UINT64_MAX;
	if (ret_name)
		*ret_name = q->pending[0].name;
	return q->pending[0].deadline_ns;
}

void qmp_feed(struct qmp *q, const char *bytes, size_t n)
{
	/* What was taken apart makes room first: the buffer holds one unfinished line. */
	if (q->at) {
		memmove(q->input.s, q->input.s + q->at, q->input.len - q->at);
		strbuf_setlen(&q->input, q->input.len - q->at);
		q->scanned -= q->at;
		q->at = 0;
	}
	if (!q->broken)
		strbuf_add(&q->input, bytes, n);
}

static int violated(struct qmp *q, const char *what)
{
	q->broken = err_set(&q->why, -EPROTO, "QEMU's machine protocol violated: %s", what);
	return q->broken;
}

/* The next line without its end: 1, 0, -EPROTO. */
static int next_line(struct qmp *q, struct slice *ret)
{
	char *end = memchr(q->input.s + q->scanned, '\n', q->input.len - q->scanned);

	if (!end) {
		q->scanned = q->input.len;
		return q->input.len - q->at > QMP_LINE_MAX ? violated(q, "a line without end") : 0;
	}
	*ret = (struct slice){ q->input.s + q->at, (size_t)(end - q->input.s) - q->at };
	q->at += ret->n + 1;
	q->scanned = q->at;
	return 1;
}

/* Which members of an answer were there. */
struct members {
	struct slice greeting, event, data, result, error;
	uint64_t id;
};

static int take_value(struct json_reader *r, struct slice line, struct slice *ret)
{
	uint64_t start = json_position(r), end;
	int code = json_skip(r);

	if (code < 0)
		return code;
	end = json_position(r);
	*ret = slice_trim((struct slice){ line.s + start, (size_t)(end - start) });
	return 0;
}

static int read_member(struct json_reader *r, struct slice line, struct slice key,
		       struct members *m)
{
	struct slice ignored;

	if (slice_is(key, "id") && json_peek(r) == JSON_NUMBER)
		return json_read_u64(r, &m->id);
	return take_value(r, line,
			  slice_is(key, "QMP")      ? &m->greeting
			  : slice_is(key, "event")  ? &m->event
			  : slice_is(key, "data")   ? &m->data
			  : slice_is(key, "return") ? &m->result
			  : slice_is(key, "error")  ? &m->error
						    : &ignored);
}

static int read_line(struct slice line, struct members *ret)
{
	struct json_reader r;
	struct slice key;
	int code;

	json_reader_init_slice(&r, line, &line_limits, NULL);
	code = json_enter_object(&r);
	while (code >= 0 && (code = json_next_key(&r, &key)) > 0)
		code = read_member(&r, line, key, ret);
	if (code == 0)
		code = json_reader_end(&r);
	json_reader_done(&r);
	return code;
}

static void set_name(struct qmp_message *m, struct slice name)
{
	size_t n = name.n < sizeof(m->name) - 1 ? name.n : sizeof(m->name) - 1;

	memcpy(m->name, name.s, n);
	m->name[n] = '\0';
}

/* The value of a member that is a string, without its quotes; names of QEMU need no escapes. */
static struct slice unquoted(struct slice value)
{
	if (value.n < 2 || value.s[0] != '"')
		return (struct slice){ "", 0 };
	return (struct slice){ value.s + 1, value.n - 2 };
}

/* Takes the answer off the list: false when nobody asked. */
static bool answered(struct qmp *q, uint64_t id, struct qmp_message *m)
{
	for (unsigned i = 0; i < q->n_pending; i++) {
		if (q->pending[i].id != id)
			continue;
		set_name(m, slice_of(q->pending[i].name));
		q->n_pending--;
		memmove(&q->pending[i], &q->pending[i + 1],
			(q->n_pending - i) * sizeof(q->pending[0]));
		return true;
	}
	return false;
}

static int greet(struct qmp *q, const struct members *m, struct qmp_message *ret)
{
	if (!answered(q, 0, ret))
		return violated(q, "a second greeting");
	q->greeted = true;
	ret->kind = QMP_GREETING;
	ret->data = m->greeting;
	return 1;
}

static int sort_out(struct qmp *q, const struct members *m, struct qmp_message *ret)
{
	if (m->greeting.n)
		return greet(q, m, ret);
	if (!q->greeted)
		return violated(q, "no greeting");
	if (m->event.n) {
		ret->kind = QMP_EVENT;
		ret->data = m->data;
		set_name(ret, unquoted(m->event));
		return 1;
	}
	if (!m->result.n && !m->error.n)
		return violated(q, "neither event nor answer");
	ret->kind = m->error.n ? QMP_ERROR : QMP_RETURN;
	ret->data = m->error.n ? m->error : m->result;
	ret->id = m->id;
	return m->id && answered(q, m->id, ret) ? 1 : violated(q, "an answer to nothing");
}

int qmp_next(struct qmp *q, struct qmp_message *ret)
{
	struct members m = { .data = { "", 0 } };
	struct slice line = {};
	int r;

	if (q->broken)
		return q->broken;
	r = next_line(q, &line);
	if (r <= 0)
		return r;
	if (line.n > QMP_LINE_MAX || read_line(line, &m) < 0)
		return violated(q, "a line that is not what it should be");
	*ret = (struct qmp_message){};
	return sort_out(q, &m, ret);
}

int qmp_string(struct slice data, const char *key, struct strbuf *ret)
{
	struct json_reader r;
	struct slice name, value;
	int found = 0;

	json_reader_init_slice(&r, data, &line_limits, NULL);
	if (json_enter_object(&r) == 0)
		while (!found && json_next_key(&r, &name) > 0) {
			if (!slice_is(name, key) || json_peek(&r) != JSON_STRING) {
				/* A failure stays, and ends the loop. */
				if (json_skip(&r) < 0)
					break;
			} else if (json_read_string(&r, &value) == 0) {
				strbuf_addslice(ret, value);
				found = 1;
			}
		}
	json_reader_done(&r);
	return found;
}
