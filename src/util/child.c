// SPDX-License-Identifier: LGPL-2.1-or-later
#include "util/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/clock.h"

#define REAP_MS 1000 /* for a child that was killed */

static int until(int64_t deadline)
{
	int64_t left = deadline - clock_ms();

	return left <= 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

/* 1 when @fd is readable or closed, 0 at the deadline, -errno. */
static int wait_fd(int fd, int64_t deadline)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	for (;;) {
		int r = poll(&p, 1, until(deadline));

		if (r > 0 || (r < 0 && errno != EINTR))
			return r < 0 ? -errno : r;
		if (r == 0 && clock_ms() >= deadline)
			return 0;
	}
}

/* The same, with ticks and a way to be stopped; @tick is when the next one is due. */
static int wait_output(int fd, int64_t deadline, const struct child_watch *watch, int64_t *tick)
{
	struct pollfd p[] = {
		{ .fd = fd, .events = POLLIN },
		{ .fd = watch->stop_fd, .events = POLLIN },
	};

	for (;;) {
		int r = poll(p, 2, until(*tick < deadline ? *tick : deadline));

		if (r < 0 && errno != EINTR)
			return -errno;
		if (watch->tick && clock_ms() >= *tick) {
			watch->tick(watch->ctx);
			*tick = clock_ms() + watch->tick_ms;
		}
		if (r > 0 && p[1].revents)
			return -ECANCELED;
		if (r > 0)
			return 1;
		if (clock_ms() >= deadline)
			return 0;
	}
}

/* To the end of the pipe: 0, -ETIMEDOUT, -ECANCELED, -errno. */
static int pump(int fd, int64_t deadline, const struct child_watch *watch)
{
	int64_t tick = watch->tick ? clock_ms() + watch->tick_ms : INT64_MAX;

	for (;;) {
		char buf[4096];
		ssize_t n;
		int r = wait_output(fd, deadline, watch, &tick);

		if (r <= 0)
			return r < 0 ? r : -ETIMEDOUT;
		n = read(fd, buf, sizeof(buf));
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n == 0)
			return 0;
		if (n > 0 && watch->output)
			watch->output(watch->ctx, buf, (size_t)n);
	}
}

/* 0 for status 0. */
static int reap(pid_t pid, int pidfd, int64_t deadline)
{
	int status, r = wait_fd(pidfd, deadline);

	/* What the child started is in its group, whose name is ours until the child is reaped. */
	kill(-pid, SIGKILL);
	if (r <= 0) {
		/* One that cannot die (stuck in the kernel) must not hold us up. */
		if (wait_fd(pidfd, clock_ms() + REAP_MS) > 0)
			waitpid(pid, NULL, 0);
		return r < 0 ? r : -ETIMEDOUT;
	}
	if (waitpid(pid, &status, 0) < 0)
		return -errno;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return -ENOEXEC;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -ECHILD;
}

int child_start(struct child *child, void (*body)(void *ctx, int out), void *ctx, int timeout_ms)
{
	_cleanup_close_ int reader = -1, writer = -1;
	int64_t deadline = timeout_ms < 0 ? INT64_MAX : clock_ms() + timeout_ms;
	pid_t self = getpid(), pid;
	int ends[2], pidfd;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	reader = ends[0];
	writer = ends[1];
	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return -errno;
	if (pid == 0) {
		if (setpgid(0, 0) < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != self)
			_exit(1);
		body(ctx, writer);
		_exit(0);
	}
	/* Both do it: whoever comes first, the group is there before it is needed. */
	(void)setpgid(pid, pid);
	pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (pidfd < 0) {
		int r = -errno;

		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		return r;
	}
	*child = (struct child){ pid, pidfd, take_fd(&reader), deadline };
	return 0;
}

int child_follow(struct child *child, const struct child_watch *watch)
{
	int r = pump(child->out, child->deadline, watch);
	int status = reap(child->pid, child->pidfd, r < 0 ? clock_ms() : child->deadline);

	close(child->out);
	close(child->pidfd);
	return r < 0 ? r : status;
}

static void keep(void *ctx, const char *bytes, size_t n)
{
	struct strbuf *output = ctx;

	if (output->len + n <= CHILD_OUTPUT_MAX)
		strbuf_add(output, bytes, n);
}

int child_finish(struct child *child, struct strbuf *output)
{
	const struct child_watch watch = { .ctx = output, .output = keep, .stop_fd = -1 };

	return child_follow(child, &watch);
}
