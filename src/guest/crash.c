// SPDX-License-Identifier: LGPL-2.1-or-later
#include "guest/crash.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "guest/machine_context.h"
#include "proto/frame.h"

/* A signal handler has no other way to know. */
static volatile sig_atomic_t crash_console = -1;
static volatile sig_atomic_t crash_port = -1;

static const struct {
	int number;
	const char *name;
} faults[] = {
	{ SIGSEGV, "SIGSEGV" }, { SIGBUS, "SIGBUS" },   { SIGILL, "SIGILL" },
	{ SIGFPE, "SIGFPE" },   { SIGABRT, "SIGABRT" }, { SIGSYS, "SIGSYS" },
};

/* Without malloc and stdio: either may be what broke. */
struct words {
	char text[160];
	size_t n;
};

static void add(struct words *w, const char *s)
{
	for (; *s && w->n < sizeof(w->text); s++)
		w->text[w->n++] = *s;
}

static void add_hex(struct words *w, uint64_t v)
{
	char digits[2 + 16 + 1] = "0x";
	size_t n = 2;

	for (int shift = 60; shift >= 0; shift -= 4)
		if (n > 2 || v >> shift || !shift)
			digits[n++] = "0123456789abcdef"[v >> shift & 15];
	digits[n] = '\0';
	add(w, digits);
}

static void say(const struct words *w)
{
	char frame[FRAME_HEADER_BYTES + sizeof(w->text)];
	ssize_t n;

	if (crash_console >= 0) {
		n = write(crash_console, w->text, w->n);
		(void)n;
	}
	if (crash_port < 0)
		return;
	/* Writes to the port are whole frames, so this one starts where one may. */
	frame_header(FRAME_CRSH, (struct slice){ w->text, w->n }, frame);
	memcpy(frame + FRAME_HEADER_BYTES, w->text, w->n);
	n = write(crash_port, frame, FRAME_HEADER_BYTES + w->n);
	(void)n;
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	struct words w = { .n = 0 };

	/* From another process it is a nuisance, not a fault of ours. */
	if (info->si_code <= 0 && info->si_pid != getpid())
		return;
	add(&w, "init crashed: ");
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++)
		if (faults[i].number == number)
			add(&w, faults[i].name);
	if (info->si_code > 0) {
		add(&w, " at address ");
		add_hex(&w, (uint64_t)(uintptr_t)info->si_addr);
	}
	add(&w, ", instruction ");
	add_hex(&w, machine_context_pc(context));
	add(&w, "\n");
	say(&w);
	/* The kernel panics, with its own report on the console. */
	_exit(128 + number);
}

void crash_install(int console)
{
	/* A stack that overflowed cannot carry its handler. */
	static char stack[16384];
	const stack_t alternative = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = {
		.sa_sigaction = on_fault,
		.sa_flags = SA_SIGINFO | SA_ONSTACK,
	};

	crash_console = console;
	sigaltstack(&alternative, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++)
		sigaction(faults[i].number, &action, NULL);
}

void crash_tell_port(int port)
{
	crash_port = port;
}
