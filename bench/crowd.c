// SPDX-License-Identifier: GPL-2.0-only
#include "crowd.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/alloc.h"
#include "util/cleanup.h"

static atomic_size_t arrived;

_noreturn_ static void wait_for_ever(void)
{
	for (;;)
		pause();
}

static void *idle(void *unused)
{
	(void)unused;
	atomic_fetch_add(&arrived, 1);
	wait_for_ever();
}

/* 0 or an errno. The smallest stacks: ten thousand of them must fit anywhere. */
static int add_threads(size_t n)
{
	pthread_attr_t small;
	pthread_t thread;
	int r;

	r = pthread_attr_init(&small);
	if (!r)
		r = pthread_attr_setstacksize(&small, (size_t)PTHREAD_STACK_MIN);
	for (size_t i = 0; i < n && !r; i++)
		r = pthread_create(&thread, &small, idle, NULL);
	while (!r && atomic_load(&arrived) < n)
		sched_yield();
	return r;
}

/* One process of the crowd: tells its errno (0: all threads are there) and hangs up. */
_noreturn_ static void be_process(pid_t parent, size_t threads, int ready)
{
	int r;

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
		_exit(1);
	prctl(PR_SET_NAME, "bench_crowd");
	r = add_threads(threads - 1);
	if (write(ready, &r, sizeof(r)) != sizeof(r) || r)
		_exit(1);
	close(ready);
	wait_for_ever();
}

/* 0 once all processes told so, else the errno one of them met. */
static int await_ready(const struct crowd *crowd, int ready)
{
	size_t n = 0;
	ssize_t got;
	int r;

	while ((got = read(ready, &r, sizeof(r))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got != sizeof(r))
			return EIO;
		if (r)
			return r;
		n++;
	}
	return n == crowd->processes ? 0 : ECHILD;
}

int crowd_start(struct crowd *crowd, size_t processes, size_t threads_each, struct err *err)
{
	pid_t parent = getpid();
	int ready[2], r = 0;

	*crowd = (struct crowd){ .threads_each = threads_each,
				 .pids = xcalloc(processes, sizeof(*crowd->pids)) };
	if (pipe2(ready, O_CLOEXEC) < 0)
		return err_set(err, -errno, "cannot make a pipe: %m");
	fflush(NULL);
	for (size_t i = 0; i < processes && !r; i++) {
		pid_t pid = fork();

		if (!pid) {
			close(ready[0]);
			be_process(parent, threads_each, ready[1]);
		}
		if (pid < 0)
			r = errno;
		else
			crowd->pids[crowd->processes++] = pid;
	}
	close(ready[1]);
	if (!r)
		r = await_ready(crowd, ready[0]);
	close(ready[0]);
	if (!r)
		return 0;
	crowd_stop(crowd);
	return err_set(err, -r, "cannot start %zu processes of %zu threads: %s", processes,
		       threads_each, strerror(r));
}

void crowd_stop(struct crowd *crowd)
{
	for (size_t i = 0; i < crowd->processes; i++)
		kill(crowd->pids[i], SIGKILL);
	for (size_t i = 0; i < crowd->processes; i++)
		waitpid(crowd->pids[i], NULL, 0);
	free(crowd->pids);
	*crowd = (struct crowd){};
}
