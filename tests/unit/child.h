/* SPDX-License-Identifier: GPL-2.0-only */
/* For what must end the program: it is tried in a child. */
#ifndef TESTS_CHILD_H
#define TESTS_CHILD_H

#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs act(@arg) in a child without stderr and core file: its exit status (0 when it returns), or
 * 128 + signal. */
static inline int child_status(void (*act)(const void *), const void *arg)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		const struct rlimit no_core = {};

		setrlimit(RLIMIT_CORE, &no_core);
		close(STDERR_FILENO);
		signal(SIGABRT, SIG_DFL);
		act(arg);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#define CHILD_ABORTED (128 + SIGABRT)

#endif
