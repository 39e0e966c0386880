// SPDX-License-Identifier: GPL-2.0-only
#include "cli/outlet.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Pipes and terminals can be opened again, with flags of our own. A file would start over, a socket
 * cannot: they, and what may not be opened, are asked before each write. */
static int open_again(int fd)
{
	char path[32];
	struct stat st;

	if (fstat(fd, &st) < 0 || !(S_ISFIFO(st.st_mode) || isatty(fd)))
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

void outlet_open(struct outlet *o, int fd)
{
	int own = open_again(fd);

	o->own = own >= 0;
	o->fd = o->own ? own : fd;
}

void outlet_done(struct outlet *o)
{
	if (o->own)
		close(o->fd);
	strbuf_done(&o->waiting);
	*o = (struct outlet)OUTLET_INIT;
}

/* A pipe that says it takes something takes that much. */
static size_t at_once(const struct outlet *o, size_t n)
{
	return o->own || n < PIPE_BUF ? n : PIPE_BUF;
}

static bool takes(const struct outlet *o)
{
	struct pollfd p = { .fd = o->fd, .events = POLLOUT };

	return o->own || poll(&p, 1, 0) > 0;
}

int outlet_flush(struct outlet *o)
{
	while (!outlet_is_empty(o) && takes(o)) {
		ssize_t n = write(o->fd, o->waiting.s + o->at, at_once(o, o->waiting.len - o->at));

		if (n < 0 && errno == EAGAIN)
			return 0;
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0)
			o->at += (size_t)n;
	}
	if (outlet_is_empty(o)) {
		strbuf_reset(&o->waiting);
		o->at = 0;
	}
	return 0;
}

int outlet_write(struct outlet *o, struct slice bytes)
{
	strbuf_addslice(&o->waiting, bytes);
	return outlet_flush(o);
}

bool outlet_is_empty(const struct outlet *o)
{
	return o->at == o->waiting.len;
}
