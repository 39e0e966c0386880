// SPDX-License-Identifier: GPL-2.0-only
#include "cli/shell_session.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cli/tty.h"
#include "record/ready.h"
#include "util/cleanup.h"
#include "util/log.h"

#define ESCAPE_KEY   0x1d /* Ctrl-] */
#define ESCAPE_COUNT 3u
#define INPUT_CHUNK  (16u * 1024)

static void our_signals(sigset_t *set)
{
	static const int signals[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP };

	sigemptyset(set);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaddset(set, signals[i]);
}

int shell_session_init(struct shell_session *s)
{
	sigset_t set;

	our_signals(&set);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return -errno;
	/* In the background the terminal cannot be read; that is no reason to stop the guest. */
	signal(SIGTTIN, SIG_IGN);
	s->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->signals < 0)
		return -errno;
	outlet_open(&s->out, STDOUT_FILENO);
	outlet_open(&s->err, STDERR_FILENO);
	return 0;
}

void shell_session_done(struct shell_session *s)
{
	sigset_t set;

	tty_restore();
	outlet_done(&s->out);
	outlet_done(&s->err);
	cleanup_close(&s->signals);
	s->signals = -1;
	our_signals(&set);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	signal(SIGTTIN, SIG_DFL);
}

static void show_progress(struct shell_session *s, enum vm_accel accel)
{
	if (s->verbose || !isatty(STDERR_FILENO))
		return;
	s->progress = true;
	fprintf(stderr, "\r\033[Kbooting %s (%s) ...", s->title, vm_accel_name(accel));
}

static void wipe_progress(struct shell_session *s)
{
	if (s->progress)
		fputs("\r\033[K", stderr);
	s->progress = false;
}

static void on_start(void *ctx, struct vm *vm, enum vm_accel accel)
{
	struct shell_session *s = ctx;

	vm_watch(vm, s->signals, VM_WATCH_READ);
	show_progress(s, accel);
}

static void send_size(struct vm *vm)
{
	uint16_t rows, cols;
	char size[4];

	if (!tty_size(STDIN_FILENO, &rows, &cols))
		return;
	size[0] = (char)(unsigned char)rows;
	size[1] = (char)(unsigned char)(rows >> 8);
	size[2] = (char)(unsigned char)cols;
	size[3] = (char)(unsigned char)(cols >> 8);
	/* A guest that takes nothing has more to worry about. */
	(void)!vm_send(vm, FRAME_WINS, (struct slice){ size, sizeof(size) });
}

static void tell_notes(const struct frame *f)
{
	_cleanup_(ready_done) struct ready ready = READY_INIT;

	if (ready_read(f->payload, &ready, NULL) < 0)
		return;
	for (size_t i = 0; i < ready.notes.n; i++)
		log_debug("guest: %s", ready.notes.v[i]);
}

static void on_ready_guest(struct shell_session *s, struct vm *vm, const struct frame *f)
{
	if (s->up)
		return;
	s->up = true;
	wipe_progress(s);
	tell_notes(f);
	/* The window may have changed while it booted. */
	if (s->tty && tty_raw(STDIN_FILENO) == 0)
		send_size(vm);
	vm_watch(vm, STDIN_FILENO, VM_WATCH_FEED);
}

static void give_up(struct shell_session *s, struct vm *vm, int r)
{
	s->broken = r;
	vm_stop(vm);
}

/* Nothing more is taken from the guest before what it said is out. */
static void balance(struct shell_session *s, struct vm *vm)
{
	if (outlet_is_empty(&s->out))
		vm_unwatch(vm, s->out.fd);
	else
		vm_watch(vm, s->out.fd, VM_WATCH_WRITE);
	if (outlet_is_empty(&s->err))
		vm_unwatch(vm, s->err.fd);
	else
		vm_watch(vm, s->err.fd, VM_WATCH_WRITE);
	if (outlet_is_empty(&s->out) && outlet_is_empty(&s->err))
		vm_resume(vm);
	else
		vm_hold(vm);
}

static void print(struct shell_session *s, struct vm *vm, struct outlet *o, struct slice bytes)
{
	int r = outlet_write(o, bytes);

	if (r < 0)
		give_up(s, vm, r);
	else
		balance(s, vm);
}

static void on_exit_frame(struct shell_session *s, struct vm *vm, struct slice payload)
{
	const unsigned char *p = (const unsigned char *)payload.s;

	if (payload.n != 4)
		return;
	s->status =
		(int32_t)(p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
	s->has_status = true;
	/* Everything was said: no need to watch it power off. */
	vm_stop(vm);
}

static void on_message(void *ctx, struct vm *vm, const struct frame *f, uint64_t at_ns)
{
	struct shell_session *s = ctx;

	(void)at_ns;
	if (f->type == FRAME_SRDY)
		on_ready_guest(s, vm, f);
	else if (f->type == FRAME_SOUT)
		print(s, vm, &s->out, f->payload);
	else if (f->type == FRAME_SERR)
		print(s, vm, &s->err, f->payload);
	else if (f->type == FRAME_EXIT)
		on_exit_frame(s, vm, f->payload);
}

static void on_console(void *ctx, struct vm *vm, struct slice bytes)
{
	struct shell_session *s = ctx;

	if (s->verbose)
		print(s, vm, &s->err, bytes);
}

/* The way out of a guest that does not react any more. */
static bool is_escape(struct shell_session *s, struct slice bytes)
{
	for (size_t i = 0; s->tty && i < bytes.n; i++) {
		s->escapes = bytes.s[i] == ESCAPE_KEY ? s->escapes + 1 : 0;
		if (s->escapes == ESCAPE_COUNT)
			return true;
	}
	return false;
}

static void on_input(struct shell_session *s, struct vm *vm)
{
	char buf[INPUT_CHUNK];
	ssize_t n = read(STDIN_FILENO, buf, sizeof(buf));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		n = 0;
		vm_unwatch(vm, STDIN_FILENO);
	}
	if (is_escape(s, (struct slice){ buf, (size_t)n })) {
		s->caught = SIGINT;
		vm_stop(vm);
	} else if (vm_send(vm, FRAME_STDN, (struct slice){ buf, (size_t)n }) < 0) {
		give_up(s, vm, -ENOBUFS);
	}
}

static void pass_on(struct shell_session *s, struct vm *vm, int signal_)
{
	const char byte = (char)signal_;

	/* The second one is for us: the command does not care, or nobody hears it. */
	if (s->up && !s->interrupted) {
		s->interrupted = true;
		if (vm_send(vm, FRAME_SIGN, (struct slice){ &byte, 1 }) == 0)
			return;
	}
	s->caught = signal_;
	vm_stop(vm);
}

static void on_signal(struct shell_session *s, struct vm *vm)
{
	struct signalfd_siginfo info;

	if (read(s->signals, &info, sizeof(info)) != sizeof(info))
		return;
	switch ((int)info.ssi_signo) {
	case SIGWINCH:
		if (s->tty && s->up)
			send_size(vm);
		break;
	case SIGTSTP:
		/* We come back here when we are continued. */
		tty_restore();
		raise(SIGSTOP);
		if (s->tty && s->up && tty_raw(STDIN_FILENO) == 0)
			send_size(vm);
		break;
	case SIGINT:
	case SIGQUIT:
		pass_on(s, vm, (int)info.ssi_signo);
		break;
	default:
		s->caught = (int)info.ssi_signo;
		vm_stop(vm);
		break;
	}
}

static void on_ready(void *ctx, struct vm *vm, int fd)
{
	struct shell_session *s = ctx;
	int r;

	if (fd == s->signals) {
		on_signal(s, vm);
	} else if (fd == STDIN_FILENO) {
		on_input(s, vm);
	} else {
		r = outlet_flush(fd == s->out.fd ? &s->out : &s->err);
		if (r < 0)
			give_up(s, vm, r);
		else
			balance(s, vm);
	}
}

void shell_session_events(struct shell_session *s, struct vm_events *ret)
{
	*ret = (struct vm_events){ on_start, on_message, on_console, on_ready, s };
}
