// SPDX-License-Identifier: LGPL-2.1-or-later
#include "record/job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/cleanup.h"
#include "json/schema.h"

#define SHELL "/bin/sh"

static const char *const kind_names[] = {
	[JOB_NONE] = "",
	[JOB_EXEC] = "exec",
	[JOB_SHELL] = "shell",
};

void job_done(struct job *job)
{
	strv_done(&job->argv);
	strv_done(&job->env);
	free(job->cwd);
	*job = (struct job)JOB_INIT;
}

/* A string that can be handed to execve(). */
static int read_word(struct json_reader *r, char **ret)
{
	struct slice s;

	if (json_read_string(r, &s) < 0)
		return r->error;
	if (s.n && memchr(s.s, '\0', s.n))
		return json_fail(r, -EBADMSG, "a string with a NUL byte");
	*ret = xstrndup(s.s, s.n);
	return 0;
}

static int read_kind(struct json_reader *r, void *member, void *ctx)
{
	enum job_kind *kind = member;
	struct slice s;

	(void)ctx;
	if (json_read_string(r, &s) < 0)
		return r->error;
	for (enum job_kind k = JOB_EXEC; k <= JOB_SHELL; k++)
		if (slice_is(s, kind_names[k])) {
			*kind = k;
			return 0;
		}
	return json_fail(r, -EBADMSG, "neither 'exec' nor 'shell'");
}

static void write_kind(struct json_writer *w, const void *member)
{
	json_string(w, kind_names[*(const enum job_kind *)member]);
}

static int read_words(struct json_reader *r, void *member, void *ctx)
{
	struct strv *words = member;

	(void)ctx;
	if (json_enter_array(r) < 0)
		return r->error;
	while (json_next_element(r) > 0) {
		_cleanup_free_ char *word = NULL;

		if (read_word(r, &word) < 0)
			break;
		strv_add(words, word);
	}
	return r->error;
}

static void write_words(struct json_writer *w, const void *member)
{
	const struct strv *words = member;

	json_begin_array(w);
	for (size_t i = 0; i < words->n; i++)
		json_string(w, words->v[i]);
	json_end_array(w);
}

static int read_path(struct json_reader *r, void *member, void *ctx)
{
	(void)ctx;
	return read_word(r, member);
}

static void write_path(struct json_writer *w, const void *member)
{
	json_string(w, *(char *const *)member);
}

static bool no_path(const void *member)
{
	return !*(char *const *)member;
}

typedef enum job_kind job_kind_json_type;
static const struct json_custom job_kind_json = { read_kind, write_kind };
typedef struct strv job_words_type;
static const struct json_custom job_words = { read_words, write_words };
typedef char *job_path_type;
static const struct json_custom job_path = { read_path, write_path, no_path };

static const struct json_field fields[] = {
	JSON_CUSTOM(job_kind_json, struct job, kind),
	JSON_CUSTOM(job_words, struct job, argv),
	JSON_FIELD(BOOL, struct job, tty),
	JSON_FIELD(U32, struct job, rows),
	JSON_FIELD(U32, struct job, cols),
	JSON_CUSTOM(job_words, struct job, env),
	JSON_CUSTOM(job_path, struct job, cwd),
};
static const struct json_schema schema = JSON_SCHEMA(fields);

void job_json(const struct job *job, struct json_writer *w)
{
	json_write_fields(w, &schema, job);
}

static int check(const struct job *job, struct err *err)
{
	if (job->kind == JOB_NONE)
		return err_set(err, -EBADMSG, "no 'kind'");
	if (job->rows > UINT16_MAX || job->cols > UINT16_MAX)
		return err_set(err, -EBADMSG, "a terminal of %u rows and %u columns", job->rows,
			       job->cols);
	for (size_t i = 0; i < job->env.n; i++)
		if (job->env.v[i][0] == '=' || !strchr(job->env.v[i], '='))
			return err_set(err, -EBADMSG, "'env': no NAME=VALUE: '%s'", job->env.v[i]);
	if (job->cwd && job->cwd[0] != '/')
		return err_set(err, -EBADMSG, "'cwd': not an absolute path: '%s'", job->cwd);
	if (!job->argv.n || !job->argv.v[0][0])
		return err_set(err, -EBADMSG, "'argv': no program");
	return 0;
}

int job_read(struct slice text, struct job *ret, struct err *err)
{
	const struct json_limits limits = {
		.depth = 4,
		.bytes = JOB_BYTES_MAX,
		.string_bytes = JOB_STRING_MAX,
	};
	struct json_reader r;
	int e;

	*ret = (struct job)JOB_INIT;
	json_reader_init_slice(&r, text, &limits, err);
	e = json_read_fields(&r, &schema, ret, NULL);
	if (e >= 0)
		e = json_reader_end(&r);
	json_reader_done(&r);
	if (e < 0)
		return e;
	if (ret->kind == JOB_SHELL) {
		strv_done(&ret->argv);
		strv_add(&ret->argv, SHELL);
		ret->tty = true;
	}
	return check(ret, err);
}
