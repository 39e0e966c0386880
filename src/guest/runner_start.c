// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "guest/runner.h"
#include "record/guest.h"
#include "util/cleanup.h"

/* As shells have it. */
enum {
	EXIT_CANNOT_EXECUTE = 126,
	EXIT_NOT_FOUND = 127,
};

static const char *const common_env[] = {
	"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
	"HOME=/",
	"TERM=linux",
	GUEST_MARK "=1",
};

static bool sets(const struct strv *env, const char *entry)
{
	size_t n = (size_t)(strchr(entry, '=') - entry) + 1;

	for (size_t i = 0; i < env->n; i++)
		if (strncmp(env->v[i], entry, n) == 0)
			return true;
	return false;
}

void runner_env(const struct job *job, struct strv *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(common_env); i++)
		if (!sets(&job->env, common_env[i]))
			strv_add(ret, common_env[i]);
	for (size_t i = 0; i < job->env.n; i++)
		strv_add(ret, job->env.v[i]);
}

/* What init does to signals is its own affair. */
static void reset_signals(void)
{
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

_noreturn_ static void give_up(const char *doing, const char *what)
{
	int code = errno == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_EXECUTE;

	dprintf(STDERR_FILENO, "ktstr: cannot %s '%s': %s\n", doing, what, strerror(errno));
	_exit(code);
}

/* In the child, with its three descriptors at hand. */
_noreturn_ static void run(const struct job *job, const int fds[3])
{
	_cleanup_(strv_done) struct strv env = STRV_INIT;

	reset_signals();
	setsid();
	if (job->tty)
		ioctl(fds[0], TIOCSCTTY, 0);
	for (int i = 0; i < 3; i++)
		dup2(fds[i], i);
	if (chdir(job->cwd ? job->cwd : "/") < 0)
		give_up("change to", job->cwd ? job->cwd : "/");
	runner_env(job, &env);
	/* PATH is looked up in the environment of the job. */
	environ = env.v;
	execvp(job->argv.v[0], job->argv.v);
	give_up("execute", job->argv.v[0]);
}

/* Ours is the end of a pipe that does not block. */
static int make_pipe(int *ret_ours, int *ret_theirs, int ours)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	*ret_ours = fds[ours];
	*ret_theirs = fds[!ours];
	return fcntl(fds[ours], F_SETFL, O_NONBLOCK) < 0 ? -errno : 0;
}

static int open_pipes(struct runner *r, int theirs[3])
{
	int e = make_pipe(&r->in, &theirs[0], 1);

	if (e >= 0)
		e = make_pipe(&r->out[RUNNER_OUT], &theirs[1], 0);
	if (e >= 0)
		e = make_pipe(&r->out[RUNNER_ERR], &theirs[2], 0);
	return e;
}

static int open_tty(struct runner *r, const struct job *job, int theirs[3])
{
	const struct winsize size = {
		.ws_row = (unsigned short)job->rows,
		.ws_col = (unsigned short)job->cols,
	};

	if (openpty(&r->out[RUNNER_OUT], &theirs[0], NULL, NULL, &size) < 0)
		return -errno;
	r->in = fcntl(r->out[RUNNER_OUT], F_DUPFD_CLOEXEC, 0);
	theirs[1] = fcntl(theirs[0], F_DUPFD_CLOEXEC, 0);
	theirs[2] = fcntl(theirs[0], F_DUPFD_CLOEXEC, 0);
	if (r->in < 0 || theirs[1] < 0 || theirs[2] < 0)
		return -errno;
	if (fcntl(r->out[RUNNER_OUT], F_SETFD, FD_CLOEXEC) < 0 ||
	    fcntl(theirs[0], F_SETFD, FD_CLOEXEC) < 0 ||
	    fcntl(r->out[RUNNER_OUT], F_SETFL, O_NONBLOCK) < 0)
		return -errno;
	return 0;
}

int runner_start(struct runner *r, const struct job *job, struct err *err)
{
	int theirs[3] = { -1, -1, -1 }, e;

	*r = (struct runner)RUNNER_INIT;
	r->tty = job->tty;
	e = job->tty ? open_tty(r, job, theirs) : open_pipes(r, theirs);
	if (e >= 0) {
		fflush(NULL);
		r->pid = fork();
		if (r->pid == 0)
			run(job, theirs);
		e = r->pid < 0 ? -errno : 0;
	}
	for (int i = 0; i < 3; i++)
		if (theirs[i] >= 0)
			close(theirs[i]);
	if (e < 0) {
		runner_done(r);
		return err_set(err, e, "cannot start '%s': %s", job->argv.v[0], strerror(-e));
	}
	return 0;
}
