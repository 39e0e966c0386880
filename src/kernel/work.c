// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/work.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "util/child.h"
#include "util/cleanup.h"

#define TICK_MS    200
#define TAIL_MAX   8192
#define TAIL_ROWS  30
#define SHOWN_MAX  4096       /* of a line */
#define OUTPUT_MAX (1u << 20) /* of the answer to a question */

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

void work_begin(struct work *w)
{
	w->begun_ms = now_ms();
}

void work_done(struct work *w)
{
	if (w->log >= 0)
		close(w->log);
	w->log = -1;
	strbuf_done(&w->log_path);
	strbuf_done(&w->line);
	strbuf_done(&w->last);
}

int work_log(struct work *w, const char *path, struct err *err)
{
	w->log = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
	if (w->log < 0)
		return err_set(err, -errno, "cannot create '%s': %s", path, strerror(errno));
	strbuf_addstr(&w->log_path, path);
	return 0;
}

static void tell(void *ctx)
{
	struct work *w = ctx;
	const struct kernel_progress p = {
		.step = w->step,
		.line = w->output ? "" : w->last.s, /* answers are not for people */
		.objects = w->objects,
		.seconds = (uint64_t)(now_ms() - w->begun_ms) / 1000,
		.log = w->log_path.len ? w->log_path.s : NULL,
	};

	if (w->job->progress)
		w->job->progress(w->job->ctx, &p);
}

void work_step(struct work *w, const char *step)
{
	w->step = step;
	strbuf_reset(&w->last);
	tell(w);
}

/* Kbuild announces each file with two spaces and a word in capitals: "  CC      kernel/fork.o". */
static void end_line(struct work *w)
{
	struct slice line = slice_trim(strbuf_slice(&w->line)), word, rest = line;

	if (slice_starts(strbuf_slice(&w->line), "  ") && slice_word(&rest, &word) &&
	    (slice_is(word, "CC") || slice_is(word, "AS")))
		w->objects++;
	if (line.n) {
		strbuf_reset(&w->last);
		strbuf_addslice(&w->last, line);
	}
	strbuf_reset(&w->line);
}

static void write_log(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t written = write(fd, bytes, n);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return; /* a full disk stops the program itself */
		bytes += written;
		n -= (size_t)written;
	}
}

static void take_output(void *ctx, const char *bytes, size_t n)
{
	struct work *w = ctx;

	if (w->log >= 0)
		write_log(w->log, bytes, n);
	if (w->output && w->output->len < OUTPUT_MAX)
		strbuf_add(w->output, bytes, n);
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] == '\n' || bytes[i] == '\r')
			end_line(w);
		else if (w->line.len < SHOWN_MAX)
			strbuf_addch(&w->line, bytes[i]);
	}
}

struct call {
	const char *const *argv;
	const char *dir;
};

/* What would change what make(1) and others do, and has come to us by chance: from the make that
 * calls us, for one. */
static const char *const unwanted[] = {
	"MAKEFLAGS",
	"MFLAGS",
	"MAKEOVERRIDES",
	"MAKELEVEL",
	"MAKEFILES",
	"KBUILD_OUTPUT",
	"KCFLAGS",
	"KAFLAGS",
	"KCPPFLAGS",
	"ARCH",
	"CROSS_COMPILE",
	"LLVM",
	"O",
	"V",
	"C",
	"W",
	"TAR_OPTIONS",
};

static void call_program(void *ctx, int out)
{
	const struct call *call = ctx;
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(unwanted); i++)
		unsetenv(unwanted[i]);
	setenv("LC_ALL", "C", 1);
	if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
	    dup2(out, STDERR_FILENO) < 0 || (call->dir && chdir(call->dir) < 0))
		_exit(126);
	execvp(call->argv[0], (char *const *)call->argv);
	_exit(127);
}

int work_run(struct work *w, const char *step, const char *dir, const char *const *argv,
	     struct err *err)
{
	struct call call = { argv, dir };
	const struct child_watch watch = {
		.ctx = w,
		.output = take_output,
		.tick = tell,
		.tick_ms = TICK_MS,
		.stop_fd = w->job->stop_fd,
	};
	struct child child;
	int r;

	work_step(w, step);
	strbuf_reset(&w->line);
	r = child_start(&child, call_program, &call, CHILD_NO_TIMEOUT);
	if (r == 0)
		r = child_follow(&child, &watch);
	end_line(w);
	switch (r) {
	case 0:
		return 0;
	case -ECANCELED:
		return err_set(err, r, "interrupted while %s", step);
	case -ENOEXEC:
		return err_set(err, r, "%s: '%s' is not installed", step, argv[0]);
	case -ECHILD:
		return err_set(err, r, "%s: '%s' failed%s%s", step, argv[0],
			       w->last.len ? ": " : "", w->last.s);
	default:
		return err_set(err, r, "%s: cannot run '%s': %s", step, argv[0], strerror(-r));
	}
}

int work_ask(struct work *w, const char *step, const char *const *argv, struct strbuf *output,
	     struct err *err)
{
	int r;

	w->output = output;
	r = work_run(w, step, NULL, argv, err);
	w->output = NULL;
	return r;
}

void work_log_tail(const struct work *w, struct strbuf *out)
{
	off_t end = w->log < 0 ? -1 : lseek(w->log, 0, SEEK_END);
	char buf[TAIL_MAX];
	ssize_t n;
	size_t from, rows = 0;

	if (end < 0)
		return;
	n = pread(w->log, buf, sizeof(buf), end > TAIL_MAX ? end - TAIL_MAX : 0);
	if (n <= 0)
		return;
	for (from = (size_t)n; from > 0; from--)
		if (buf[from - 1] == '\n' && rows++ == TAIL_ROWS)
			break;
	strbuf_add(out, buf + from, (size_t)n - from);
}

/* False when it is time to give up. */
static bool wait_a_moment(const struct kernel_job *job)
{
	struct pollfd p = { .fd = job->stop_fd, .events = POLLIN };

	return poll(&p, 1, TICK_MS) <= 0;
}

int work_stage(struct work *w, struct kernel_staging *s, const char *key, struct err *err)
{
	bool told = false;
	int r;

	while ((r = kernel_staging_lock(s, w->job->cache, key, err)) == -EAGAIN) {
		if (!told && w->job->note)
			w->job->note(w->job->ctx,
				     "another ktstr makes this kernel: waiting for it");
		told = true;
		if (!wait_a_moment(w->job))
			return err_set(err, -ECANCELED, "interrupted while waiting");
	}
	return r < 0 ? r : kernel_staging_begin(s, err);
}
