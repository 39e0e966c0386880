// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads to be looked at: several processes, odd names, every policy, and some work done. Says
 * "ready" once all of them sleep for good; ends with the end of its standard input.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "util/compiler.h"

#define PROCESSES 3 /* ourselves and two children */
#define PAGE      4096

/* What differs from thread to thread. Names have at most 15 bytes. */
static const struct kind {
	const char *name;
	int policy, priority, nice;
	unsigned cpus; /* bit per CPU; 0: as they are */
	unsigned pages, reads, naps;
} kinds[] = {
	{ "plain", SCHED_OTHER, 0, 0, 0, 1, 1, 1 },
	{ "with  blanks", SCHED_OTHER, 0, 5, 1, 100, 10, 3 },
	{ "  at the ends \t", SCHED_BATCH, 0, 3, 0, 5, 0, 0 },
	{ "a) R 1 2 (b) S", SCHED_BATCH, 0, -7, 1, 0, 3, 2 },
	{ "line\nfeed\nname", SCHED_IDLE, 0, 0, 0, 3, 2, 5 },
	{ "\xff\xfe\x80 bytes", SCHED_IDLE, 0, 0, 1, 0, 0, 0 },
	{ "h\xc3\xa9t\xc3\xa9rog\xc3\xa8ne", SCHED_OTHER, 0, -20, 0, 0, 0, 1 },
	{ "cut \xe2\x82", SCHED_OTHER, 0, 19, 0, 7, 7, 7 },
	{ "State:\tZ", SCHED_FIFO, 1, 0, 1, 0, 1, 0 },
	{ "wait_sum : 77", SCHED_FIFO, 99, 0, 0, 2, 0, 2 },
	{ "\x1b[31mred\x07", SCHED_RR, 50, 0, 0, 1, 1, 1 },
	{ "\\xff \"quoted\"", SCHED_RR, 1, 0, 1, 0, 0, 0 },
	{ "\nslice:7\n-----", SCHED_OTHER, 0, 0, 0, 0, 0, 0 },
	{ "0::/no/cgroup", SCHED_OTHER, 0, 1, 0, 0, 20, 0 },
	{ "))))((((", SCHED_OTHER, 0, 2, 0, 0, 0, 0 },
	{ "", SCHED_OTHER, 0, 0, 0, 0, 0, 4 },
	{ "\n", SCHED_OTHER, 0, 0, 0, 0, 0, 0 },
};

#define KINDS        ARRAY_SIZE(kinds)
#define ALL_SLEEPERS (PROCESSES * KINDS)

static atomic_uint *sleeping; /* shared by all processes */

static void work(const struct kind *k)
{
	const struct timespec nap = { .tv_nsec = 1000000 };
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	char *pages = mmap(NULL, (k->pages + 1) * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char buf[1000] = "";

	for (unsigned i = 0; pages != MAP_FAILED && i < k->pages; i++)
		pages[i * PAGE] = 1;
	for (unsigned i = 0; i < k->reads; i++)
		if (read(zero, buf, sizeof(buf)) < 0 || write(null, buf, i) < 0)
			abort();
	for (unsigned i = 0; i < k->naps; i++)
		nanosleep(&nap, NULL);
	close(zero);
	close(null);
}

/* Without privilege some of this is refused; the thread is as good a one without. */
static void dress(const struct kind *k)
{
	const struct sched_param param = { .sched_priority = k->priority };
	cpu_set_t cpus;

	prctl(PR_SET_NAME, k->name);
	(void)!sched_setscheduler(0, k->policy, &param);
	(void)!setpriority(PRIO_PROCESS, 0, k->nice);
	CPU_ZERO(&cpus);
	for (unsigned i = 0; i < 8 * sizeof(k->cpus); i++)
		if (k->cpus >> i & 1)
			CPU_SET(i, &cpus);
	if (k->cpus)
		(void)!sched_setaffinity(0, sizeof(cpus), &cpus);
}

static void *be_a_thread(void *kind)
{
	work(kind);
	dress(kind);
	atomic_fetch_add(sleeping, 1);
	for (;;)
		pause();
	return NULL;
}

static void start_threads(void)
{
	pthread_t thread;

	for (size_t i = 0; i < KINDS; i++)
		if (pthread_create(&thread, NULL, be_a_thread, (void *)&kinds[i]) != 0)
			abort();
}

static void be_a_process(size_t number)
{
	static const char *const names[] = { "", "(paren", "two words " };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == 1)
		_exit(1);
	prctl(PR_SET_NAME, names[number]);
	start_threads();
	for (;;)
		pause();
}

int main(void)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	char byte;

	sleeping = mmap(NULL, sizeof(*sleeping), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	if (sleeping == MAP_FAILED)
		return 1;
	for (size_t i = 1; i < PROCESSES; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return 1;
		if (pid == 0)
			be_a_process(i);
		printf("%d ", pid);
	}
	start_threads();
	while (atomic_load(sleeping) < ALL_SLEEPERS)
		nanosleep(&moment, NULL);
	printf("%d ready\n", getpid());
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	return 0;
}
