// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads and processes that begin and end as fast as they can, so that a capture meets them at
 * every moment of their lives. Ends with its parent; its children end with it.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORKERS 12
#define THREADS 16
#define FORKS   3

/* From no time to about that of a capture, mostly short. */
static void *live_shortly(void *number)
{
	const long n = (long)(size_t)number;
	const struct timespec moment = { .tv_nsec = 250000L * n * n };
	char name[16];

	snprintf(name, sizeof(name), "brief %ld", n);
	prctl(PR_SET_NAME, name);
	nanosleep(&moment, NULL);
	return NULL;
}

static void some_threads(void)
{
	pthread_t threads[THREADS];
	size_t n = 0;

	while (n < THREADS && pthread_create(&threads[n], NULL, live_shortly, (void *)n) == 0)
		n++;
	while (n > 0)
		pthread_join(threads[--n], NULL);
}

/* A leader that ends before its threads, one that execs, one that ends at once. */
static void live_as_process(unsigned how)
{
	pthread_t thread;

	if (how % 3 == 0 && pthread_create(&thread, NULL, live_shortly, (void *)9) == 0)
		pthread_exit(NULL);
	if (how % 3 == 1)
		execl("/bin/true", "true", (char *)NULL);
	_exit(0);
}

static void some_processes(unsigned round)
{
	pid_t pids[FORKS];
	size_t n = 0;

	while (n < FORKS) {
		pids[n] = fork();
		if (pids[n] < 0)
			break;
		if (pids[n] == 0)
			live_as_process(round + (unsigned)n);
		n++;
	}
	while (n > 0)
		waitpid(pids[--n], NULL, 0);
}

static void churn(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	for (unsigned round = 0;; round++) {
		some_threads();
		some_processes(round);
	}
}

int main(void)
{
	pid_t self = getpid(), parent = getppid();

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		return 0;
	for (size_t i = 0; i < WORKERS; i++)
		if (fork() == 0)
			churn(self);
	puts("ready");
	fflush(stdout);
	for (;;)
		pause();
}
