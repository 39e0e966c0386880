// SPDX-License-Identifier: GPL-2.0-only
#include "cli/tty.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* One terminal, for signal handlers to find. */
static struct termios saved;
static volatile sig_atomic_t raw_fd = -1;

void tty_restore(void)
{
	int fd = raw_fd, kept = errno;

	raw_fd = -1;
	/* Not waiting for output: the reader of it may be what is stuck. */
	if (fd >= 0)
		(void)tcsetattr(fd, TCSANOW, &saved);
	errno = kept;
}

static void restore_and_die(int signal_)
{
	tty_restore();
	signal(signal_, SIG_DFL);
	raise(signal_);
}

/* Those that end a program and that nobody here waits for. */
static void catch_deadly(void)
{
	static const int deadly[] = { SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,  SIGABRT,  SIGTRAP,
				      SIGSYS,  SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2,  SIGXCPU,
				      SIGXFSZ, SIGPROF, SIGIO,   SIGPWR,  SIGVTALRM };
	struct sigaction action = { .sa_handler = restore_and_die, .sa_flags = SA_NODEFER };

	for (size_t i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++)
		(void)sigaction(deadly[i], &action, NULL);
}

int tty_raw(int fd)
{
	static bool prepared;
	struct termios raw;

	if (raw_fd < 0 && tcgetattr(fd, &saved) < 0)
		return -errno;
	if (!prepared) {
		prepared = true;
		atexit(tty_restore);
		catch_deadly();
	}
	raw = saved;
	cfmakeraw(&raw);
	raw_fd = fd;
	if (tcsetattr(fd, TCSANOW, &raw) == 0)
		return 0;
	raw_fd = -1;
	return -errno;
}

bool tty_size(int fd, uint16_t *ret_rows, uint16_t *ret_cols)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) < 0)
		return false;
	*ret_rows = size.ws_row;
	*ret_cols = size.ws_col;
	return true;
}
