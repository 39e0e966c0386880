/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to src/kernel: programs that run for us, with a log and somebody to tell. */
#ifndef KERNEL_WORK_H
#define KERNEL_WORK_H

#include <stdint.h>

#include "kernel/make.h"
#include "kernel/staging.h"
#include "util/compiler.h"
#include "util/err.h"
#include "util/strbuf.h"

struct work {
	const struct kernel_job *job;
	const char *step;
	uint64_t objects;
	int64_t begun_ms;
	int log; /* -1: none */
	struct strbuf log_path;
	struct strbuf line;    /* being read */
	struct strbuf last;    /* the last that was complete */
	struct strbuf *output; /* where the output goes besides; NULL: nowhere */
};

#define WORK_INIT(job_)                                                                            \
	{                                                                                          \
		.job = (job_), .log = -1, .log_path = STRBUF_INIT, .line = STRBUF_INIT,            \
		.last = STRBUF_INIT,                                                               \
	}

void work_begin(struct work *w);
void work_done(struct work *w);

/* From here on all output goes into a file, too. */
_must_check_ int work_log(struct work *w, const char *path, struct err *err);

/* Tells what is done now, where no program does it. */
void work_step(struct work *w, const char *step);

/* Runs a program, found in PATH, in @dir (NULL: here). @step says in words what it does. 0;
 * -ECANCELED; -ENOEXEC when it is not installed; -ECHILD when it failed, with its last line. */
_must_check_ int work_run(struct work *w, const char *step, const char *dir,
			  const char *const *argv, struct err *err);

/* The same; what it writes is appended to @output. */
_must_check_ int work_ask(struct work *w, const char *step, const char *const *argv,
			  struct strbuf *output, struct err *err);

/* Appends the last lines of the log. */
void work_log_tail(const struct work *w, struct strbuf *out);

/* Takes the lock of the entry, waiting for who else makes it, and makes its folders. */
_must_check_ int work_stage(struct work *w, struct kernel_staging *s, const char *key,
			    struct err *err);

/* Copies a file to @folder/@name, on the disk when it returns. */
_must_check_ int work_copy(const char *from, const char *folder, const char *name, struct err *err);

/* Puts the files of a kernel into the entry and the entry into the cache. @m has all but `made`. */
_must_check_ int work_store(struct work *w, struct kernel_staging *s, const char *image,
			    const char *config, struct kernel_metadata *m, struct err *err);

#endif
