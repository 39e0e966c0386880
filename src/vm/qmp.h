/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * QEMU's machine protocol: one JSON object a line. What was read goes in (qmp_feed), messages come
 * out (qmp_next); what is to be written waits in `output`. No file descriptors and no clock, so
 * that recorded bytes test it. The caller gives the time, and asks by when QEMU owes an answer.
 */
#ifndef VM_QMP_H
#define VM_QMP_H

#include <stdbool.h>
#include <stdint.h>

#include "util/compiler.h"
#include "util/err.h"
#include "util/strbuf.h"

/* One line: the state of 255 CPUs takes some tens of KiB. */
#define QMP_LINE_MAX (1u * 1024 * 1024)
/* Answers that may be outstanding. */
#define QMP_COMMANDS_MAX 16u

struct qmp_command {
	uint64_t id;
	uint64_t deadline_ns;
	const char *name;
};

struct qmp {
	struct strbuf input;
	size_t at, scanned; /* of input: taken apart; without a line end */
	struct strbuf output;
	uint64_t last_id;
	uint64_t answer_ns; /* the time that QEMU has for an answer */
	bool greeted;
	struct qmp_command pending[QMP_COMMANDS_MAX]; /* oldest first */
	unsigned n_pending;
	int broken; /* -EPROTO: this is no QMP */
	struct err why;
};

/* QEMU owes its greeting from @now_ns on. */
void qmp_init(struct qmp *q, uint64_t now_ns, uint64_t answer_ns);
void qmp_done(struct qmp *q);

/* Adds a command without arguments, whose name is static, to the output: its id; 0 when too many
 * answers are outstanding. */
uint64_t qmp_execute(struct qmp *q, const char *name, uint64_t now_ns);

/* By when the oldest answer is due, and what it is; UINT64_MAX when none is. */
uint64_t qmp_deadline(const struct qmp *q, const char **ret_name);

enum qmp_kind {
	QMP_GREETING, /* @data is the object with the version */
	QMP_RETURN,   /* @data is what came back, @name the command */
	QMP_ERROR,    /* @data is the object, @name the command */
	QMP_EVENT,    /* @data is its object or "", @name that of the event */
};

struct qmp_message {
	enum qmp_kind kind;
	uint64_t id; /* of the command */
	char name[64];
	struct slice data; /* JSON; valid until the next call */
};

void qmp_feed(struct qmp *q, const char *bytes, size_t n);

/* 1 and the next message; 0 when more bytes are needed; -EPROTO with q->why, and it stays so. */
_must_check_ int qmp_next(struct qmp *q, struct qmp_message *ret);

/* Appends the string at @key of the object @data: 1; 0 when there is none. */
int qmp_string(struct slice data, const char *key, struct strbuf *ret);

#endif
