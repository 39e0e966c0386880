/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a guest shall run: written by the host into the initramfs (GUEST_JOB), read by init. As
 *JSON:
 *
 *	{"kind": "exec", "argv": ["/bin/sh", "-c", "..."], "tty": false, "rows": 0, "cols": 0,
 *	 "env": ["NAME=value"], "cwd": "/"}
 *
 * "kind" is needed, "argv" for "exec"; the rest may be left out. A "shell" is /bin/sh on a
 * terminal, whatever the other members say. Strings are UTF-8 without NUL.
 */
#ifndef RECORD_JOB_H
#define RECORD_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "util/compiler.h"
#include "util/err.h"
#include "util/slice.h"
#include "util/strv.h"
#include "json/writer.h"

/* What execve() takes at most: bytes of a string, and of all of them as a document. */
#define JOB_STRING_MAX (128u * 1024)
#define JOB_BYTES_MAX  (8u * 1024 * 1024)

enum job_kind {
	JOB_NONE,
	JOB_EXEC,
	JOB_SHELL,
};

struct job {
	enum job_kind kind;
	struct strv argv;
	struct strv env; /* beyond what every command gets, which it replaces */
	char *cwd;       /* NULL: "/" */
	bool tty;
	uint32_t rows, cols; /* 0: not known */
};

#define JOB_INIT                                                                                   \
	{                                                                                          \
	}

void job_done(struct job *job);

/* As the next value of @w. */
void job_json(const struct job *job, struct json_writer *w);

/* @ret is initialised here and needs job_done() in any case. 0, or -errno with what is wrong: not
 * JSON, past a limit, or no job. */
_must_check_ int job_read(struct slice text, struct job *ret, struct err *err);

#endif
