// SPDX-License-Identifier: LGPL-2.1-or-later
#include "guest/loop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/guest.h"
#include "util/clock.h"
#include "util/log.h"

#define HANGUP_MS     10000
#define ANSWER_MS     600000
#define LAST_WORDS_MS 1000
#define BEAT_MS       2000

/* Where there is no event to wait for: a host that hung up, a terminal that does not end. */
#define LOOK_MS 50

/* Frames of log that the last look at it may fill: a kernel that never stops has an end too. */
#define LOG_ROUNDS 64

int loop_init(struct loop *l, int port, struct err *err)
{
	sigset_t set;

	*l = (struct loop){
		.port = port,
		.signals = -1,
		.kmsg = KMSG_INIT,
		.runner = RUNNER_INIT,
		.out = OUTBOX_INIT,
		.in = FRAME_READER_INIT,
		.log_rounds = LOG_ROUNDS,
		.log_text = STRBUF_INIT,
	};
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	l->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (l->signals < 0)
		return err_set(err, -errno, "no signalfd: %s", strerror(errno));
	return 0;
}

void loop_done(struct loop *l)
{
	if (l->signals >= 0)
		close(l->signals);
	kmsg_close(&l->kmsg);
	runner_done(&l->runner);
	outbox_done(&l->out);
	frame_reader_done(&l->in);
	strbuf_done(&l->log_text);
}

void loop_send(struct loop *l, uint32_t type, struct slice payload)
{
	outbox_add(&l->out, LANE_MAIN, type, payload);
}

static void send_last(struct loop *l, uint32_t type, struct slice payload, int64_t patience_ms)
{
	loop_send(l, type, payload);
	l->phase = LOOP_LAST;
	l->over_ms = clock_ms() + patience_ms;
}

void loop_fail(struct loop *l, const char *text)
{
	log_error("%s", text);
	if (l->phase < LOOP_LAST)
		send_last(l, FRAME_CRSH, slice_of(text), LAST_WORDS_MS);
	else
		l->phase = LOOP_OVER;
}

/* Everything that ended is reaped; as process 1 that is more than our own child. */
static void reap(struct loop *l)
{
	struct signalfd_siginfo info;
	int status;
	pid_t pid;

	while (read(l->signals, &info, sizeof(info)) > 0)
		;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == l->runner.pid && !l->runner.ended)
			runner_ended(&l->runner, status);
}

static void handle(struct loop *l, const struct frame *f)
{
	const unsigned char *p = (const unsigned char *)f->payload.s;

	if (f->type == FRAME_STDN)
		runner_feed(&l->runner, f->payload);
	else if (f->type == FRAME_WINS && f->payload.n == 4)
		runner_resize(&l->runner, p[0] | (unsigned)p[1] << 8, p[2] | (unsigned)p[3] << 8);
	else if (f->type == FRAME_SIGN && f->payload.n == 1 && p[0] > 0 && p[0] < NSIG)
		runner_signal(&l->runner, p[0]);
	else if (f->type == FRAME_EXIT && l->phase == LOOP_LAST)
		l->phase = LOOP_OVER;
	else if (!l->ignored++)
		log_warn("the host sent something that makes no sense here");
}

static void read_port(struct loop *l)
{
	char bytes[FRAME_HEADER_BYTES + FRAME_PAYLOAD_MAX];
	ssize_t n = read(l->port, bytes, sizeof(bytes));
	struct frame f;
	int r;

	if (n <= 0)
		return;
	frame_reader_feed(&l->in, bytes, (size_t)n);
	while ((r = frame_next(&l->in, &f)) > 0)
		handle(l, &f);
	if (r < 0)
		loop_fail(l, l->in.why.text);
}

/* Whether anything went out. */
static bool write_port(struct loop *l)
{
	struct slice next;
	bool wrote = false;

	while ((next = outbox_next(&l->out)).n) {
		ssize_t n = write(l->port, next.s, next.n);

		if (n <= 0)
			break;
		outbox_sent(&l->out, (size_t)n);
		wrote = true;
	}
	return wrote;
}

static void read_runner(struct loop *l, enum runner_stream stream)
{
	char bytes[FRAME_PAYLOAD_MAX];
	size_t n;

	while (outbox_has_room(&l->out, LANE_MAIN) &&
	       (n = runner_pull(&l->runner, stream, bytes, sizeof(bytes))))
		loop_send(l, stream == RUNNER_OUT ? FRAME_SOUT : FRAME_SERR,
			  (struct slice){ bytes, n });
}

/* True when there may be more. */
static bool read_log(struct loop *l)
{
	bool more = false;

	if (l->kmsg.fd < 0)
		return false;
	strbuf_reset(&l->log_text);
	/* One frame at most, with room for the record that goes beyond. */
	more = kmsg_read(&l->kmsg, FRAME_PAYLOAD_MAX / 2, &l->log_text);
	if (l->log_text.len)
		outbox_add(&l->out, LANE_LOG, FRAME_DMSG, strbuf_slice(&l->log_text));
	return more;
}

static void send_exit(struct loop *l)
{
	uint32_t status = (uint32_t)l->runner.status;
	const char bytes[4] = {
		(char)(unsigned char)status,
		(char)(unsigned char)(status >> 8),
		(char)(unsigned char)(status >> 16),
		(char)(unsigned char)(status >> 24),
	};

	send_last(l, FRAME_EXIT, (struct slice){ bytes, sizeof(bytes) }, ANSWER_MS);
}

/* A command may be silent for as long as it likes; the host can tell it from a guest that hangs. */
static void beat(struct loop *l)
{
	const char life = GUEST_LIFE_PAYLOAD;

	if (l->phase >= LOOP_LAST || clock_ms() < l->beat_ms)
		return;
	/* What is on its way already says as much. */
	if (outbox_is_empty(&l->out, LANE_MAIN) || !l->beat_ms)
		loop_send(l, FRAME_LIFE, (struct slice){ &life, 1 });
	l->beat_ms = clock_ms() + BEAT_MS;
}

/* What is due whatever the events. */
static void step(struct loop *l)
{
	beat(l);
	if (l->phase == LOOP_RUN && l->runner.ended) {
		read_runner(l, RUNNER_OUT);
		read_runner(l, RUNNER_ERR);
		if (runner_is_drained(&l->runner))
			l->phase = LOOP_LOG;
	}
	while (l->phase == LOOP_LOG && outbox_has_room(&l->out, LANE_LOG))
		if (!l->log_rounds-- || !read_log(l))
			l->phase = LOOP_SEND;
	if (l->phase == LOOP_SEND && outbox_is_empty(&l->out, LANE_LOG))
		send_exit(l);
	if (l->phase == LOOP_LAST && clock_ms() >= l->over_ms) {
		log_error("the host does not answer");
		l->phase = LOOP_OVER;
	}
}

/* A port whose host hung up is always ready and never writable: it is looked at now and then. */
static void watch_host(struct loop *l, bool hung_up)
{
	if (!hung_up)
		l->hung_up_ms = 0;
	else if (!l->hung_up_ms)
		l->hung_up_ms = clock_ms() + HANGUP_MS;
	else if (clock_ms() >= l->hung_up_ms) {
		log_error("the host hung up");
		l->phase = LOOP_OVER;
	}
}

enum {
	WATCH_PORT,
	WATCH_SIGNALS,
	WATCH_LOG,
	WATCH_IN,
	WATCH_OUT,
	WATCH_ERR,
	WATCH_COUNT
};

/* Only what we have a use for: poll() reports an error or hang-up of the others again and again. */
static void choose(const struct loop *l, struct pollfd fds[WATCH_COUNT])
{
	const struct runner *r = &l->runner;
	bool waiting = !outbox_is_empty(&l->out, LANE_MAIN) || !outbox_is_empty(&l->out, LANE_LOG);
	bool hungry = runner_is_hungry(r) || l->phase == LOOP_LAST;
	bool listen = l->phase == LOOP_RUN && outbox_has_room(&l->out, LANE_MAIN);
	bool log = l->phase == LOOP_RUN && outbox_has_room(&l->out, LANE_LOG);

	fds[WATCH_PORT] = (struct pollfd){
		.fd = l->hung_up_ms ? -1 : l->port,
		.events = (short)((hungry ? POLLIN : 0) | (waiting ? POLLOUT : 0)),
	};
	fds[WATCH_SIGNALS] = (struct pollfd){ .fd = l->signals, .events = POLLIN };
	fds[WATCH_LOG] = (struct pollfd){ .fd = log ? l->kmsg.fd : -1, .events = POLLIN };
	fds[WATCH_IN] = (struct pollfd){
		.fd = r->input_sent < r->input.len ? r->in : -1,
		.events = POLLOUT,
	};
	for (int i = 0; i < RUNNER_STREAMS; i++)
		fds[WATCH_OUT + i] = (struct pollfd){
			.fd = listen ? r->out[i] : -1,
			.events = POLLIN,
		};
}

/* For poll(): until the next deadline. */
static int patience(const struct loop *l)
{
	int64_t left = (l->phase == LOOP_LAST ? l->over_ms : l->beat_ms) - clock_ms();

	if (l->hung_up_ms || (l->phase == LOOP_RUN && l->runner.ended))
		return LOOK_MS;
	return left > 0 ? (int)left : 0;
}

static void handle_events(struct loop *l, const struct pollfd fds[WATCH_COUNT])
{
	if (fds[WATCH_SIGNALS].revents)
		reap(l);
	if (fds[WATCH_PORT].revents & POLLIN)
		read_port(l);
	if (fds[WATCH_LOG].revents)
		(void)read_log(l);
	for (int i = 0; i < RUNNER_STREAMS; i++)
		if (fds[WATCH_OUT + i].revents)
			read_runner(l, (enum runner_stream)i);
}

void loop_run(struct loop *l)
{
	struct pollfd fds[WATCH_COUNT];

	for (;;) {
		struct pollfd port = { .fd = l->port };

		/* The room that a write makes may be what the next step waits for. */
		do
			step(l);
		while (write_port(l));
		runner_push(&l->runner);
		if (l->hung_up_ms)
			watch_host(l, poll(&port, 1, 0) > 0 && (port.revents & POLLHUP));
		if (l->phase == LOOP_OVER)
			return;
		choose(l, fds);
		if (poll(fds, WATCH_COUNT, patience(l)) < 0)
			continue;
		if (fds[WATCH_PORT].revents & (POLLHUP | POLLERR))
			watch_host(l, true);
		handle_events(l, fds);
	}
}
