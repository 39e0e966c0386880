// SPDX-License-Identifier: GPL-2.0-only
/* System calls of a program, counted by hand so that nothing has to be installed. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runs.h"

#define OPTIONS                                                                                    \
	(PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE |    \
	 PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK)

/* Waits until it is traced, then becomes the program. Its own group keeps our wait apart from
 * other children. */
_noreturn_ static void be_program(char *const *argv, const int traced[2])
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	char c;

	close(traced[1]);
	if (null >= 0 && dup2(null, STDOUT_FILENO) >= 0 && read(traced[0], &c, 1) == 1)
		execvp(argv[0], argv);
	_exit(127);
}

/* 1 when the thread stands at the entry of a system call. */
static int at_entry(pid_t tid)
{
	struct __ptrace_syscall_info info = {};

	if (ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof(info), &info) < 0)
		return 0;
	return info.op == PTRACE_SYSCALL_INFO_ENTRY;
}

/* Lets the thread go on to its next system call; signals that stopped it reach it. */
static void go_on(pid_t tid, int status)
{
	int sig = WSTOPSIG(status);

	if (status >> 16 || sig == (SIGTRAP | 0x80))
		sig = 0;
	/* It may have been killed meanwhile: the next wait tells. */
	ptrace(PTRACE_SYSCALL, tid, 0L, (long)sig);
}

static int count(pid_t pid, const char *name, uint64_t *ret, struct err *err)
{
	uint64_t calls = 0;
	int status = 0;
	pid_t tid;

	for (;;) {
		tid = waitpid(-pid, &status, __WALL);
		if (tid < 0 && errno == EINTR)
			continue;
		if (tid < 0)
			return err_set(err, -errno, "lost '%s': %m", name);
		if (WIFSTOPPED(status)) {
			calls += WSTOPSIG(status) == (SIGTRAP | 0x80) && at_entry(tid);
			go_on(tid, status);
		} else if (tid == pid) {
			break;
		}
	}
	if (status)
		return err_set(err, -ECHILD, "'%s' ended with wait status %#x", name,
			       (unsigned)status);
	*ret = calls;
	return 0;
}

int run_count_syscalls(char *const *argv, uint64_t *ret, struct err *err)
{
	int traced[2], r = 0;
	pid_t pid;

	if (pipe2(traced, O_CLOEXEC) < 0)
		return err_set(err, -errno, "cannot make a pipe: %m");
	fflush(NULL);
	pid = fork();
	if (!pid)
		be_program(argv, traced);
	if (pid < 0)
		r = err_set(err, -errno, "cannot fork: %m");
	else if (setpgid(pid, pid) < 0 || ptrace(PTRACE_SEIZE, pid, 0L, (long)OPTIONS) < 0 ||
		 write(traced[1], "", 1) != 1)
		r = err_set(err, -errno, "cannot trace '%s': %m", argv[0]);
	close(traced[0]);
	close(traced[1]);
	if (!r)
		return count(pid, argv[0], ret, err);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return r;
}
