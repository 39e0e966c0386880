// SPDX-License-Identifier: LGPL-2.1-or-later
#include "guest/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/clock.h"

/* Input that waits for a command that does not read: beyond, the host has to wait. */
#define INPUT_MAX (1024u * 1024)

/* What the terminal says when the session on it has gone arrives soon or never. */
#define HANGUP_MS 2000

#define END_OF_TEXT '\004'

void runner_done(struct runner *r)
{
	int *fds[] = { &r->in, &r->out[RUNNER_OUT], &r->out[RUNNER_ERR] };

	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		if (*fds[i] >= 0)
			close(*fds[i]);
	strbuf_done(&r->input);
	*r = (struct runner)RUNNER_INIT;
}

void runner_feed(struct runner *r, struct slice bytes)
{
	if (r->in < 0 || r->input_ends)
		return;
	if (r->input_sent) {
		size_t rest = r->input.len - r->input_sent;

		memmove(r->input.s, r->input.s + r->input_sent, rest);
		strbuf_setlen(&r->input, rest);
		r->input_sent = 0;
	}
	strbuf_addslice(&r->input, bytes);
	if (bytes.n)
		return;
	/* A terminal is not closed; it has a key for this. */
	if (r->tty)
		strbuf_addch(&r->input, END_OF_TEXT);
	else
		r->input_ends = true;
}

bool runner_is_hungry(const struct runner *r)
{
	return r->input.len - r->input_sent < INPUT_MAX;
}

static void close_input(struct runner *r)
{
	close(take_fd(&r->in));
	strbuf_done(&r->input);
	r->input_sent = 0;
}

void runner_push(struct runner *r)
{
	while (r->in >= 0 && r->input_sent < r->input.len) {
		ssize_t n = write(r->in, r->input.s + r->input_sent, r->input.len - r->input_sent);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		/* It does not listen any more. */
		if (n < 0)
			close_input(r);
		else
			r->input_sent += (size_t)n;
	}
	if (r->in >= 0 && r->input_ends)
		close_input(r);
}

size_t runner_pull(struct runner *r, enum runner_stream stream, char *buf, size_t n)
{
	ssize_t got;

	if (r->out[stream] < 0)
		return 0;
	if (r->ended && !r->tty && n > r->left[stream])
		n = r->left[stream];
	do
		got = n ? read(r->out[stream], buf, n) : 0;
	while (got < 0 && errno == EINTR);
	if (got < 0 && errno == EAGAIN)
		return 0;
	if (got > 0) {
		r->left[stream] -= r->ended && !r->tty ? (size_t)got : 0;
		return (size_t)got;
	}
	/* End of file; EIO from a terminal that nobody has open. */
	close(take_fd(&r->out[stream]));
	return 0;
}

void runner_resize(const struct runner *r, unsigned rows, unsigned cols)
{
	const struct winsize size = {
		.ws_row = (unsigned short)rows,
		.ws_col = (unsigned short)cols,
	};

	if (r->tty && r->out[RUNNER_OUT] >= 0)
		ioctl(r->out[RUNNER_OUT], TIOCSWINSZ, &size);
}

void runner_signal(const struct runner *r, int signal)
{
	pid_t group = r->pid;

	if (r->ended || r->pid <= 0)
		return;
	if (r->tty && r->out[RUNNER_OUT] >= 0) {
		pid_t front = tcgetpgrp(r->out[RUNNER_OUT]);

		if (front > 0)
			group = front;
	}
	/* It may not have come to make its group. */
	if (kill(-group, signal) < 0)
		kill(r->pid, signal);
}

void runner_ended(struct runner *r, int status)
{
	r->ended = true;
	r->status = status;
	r->hangup_ms = clock_ms() + HANGUP_MS;
	if (r->in >= 0)
		close_input(r);
	for (int i = 0; i < RUNNER_STREAMS; i++) {
		int n = 0;

		if (r->out[i] >= 0 && ioctl(r->out[i], FIONREAD, &n) == 0 && n > 0)
			r->left[i] = (size_t)n;
	}
}

bool runner_is_drained(const struct runner *r)
{
	if (r->tty)
		return r->out[RUNNER_OUT] < 0 || clock_ms() >= r->hangup_ms;
	for (int i = 0; i < RUNNER_STREAMS; i++)
		if (r->out[i] >= 0 && r->left[i])
			return false;
	return true;
}
