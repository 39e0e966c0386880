// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stands in for QEMU where a test wants one that misbehaves: takes the same descriptors, speaks the
 * same protocols, boots nothing. What it does is the environment variable FAKE_QEMU.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/frame.h"
#include "util/cleanup.h"
#include "util/parse.h"

static int qmp = -1, channel = -1, console = -1;
static bool with_kvm;

static void find_descriptors(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *fd = strstr(argv[i], ",fd=");
		uint32_t n;

		with_kvm |= strcmp(argv[i], "kvm") == 0;
		if (!fd || parse_u32(slice_of(fd + 4), 0, 1024, &n) < 0)
			continue;
		*(strstr(argv[i], "id=qmp")       ? &qmp
		  : strstr(argv[i], "id=channel") ? &channel
						  : &console) = (int)n;
	}
}

static void put(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t r = write(fd, bytes, n);

		if (r < 0)
			_exit(9);
		bytes += r;
		n -= (size_t)r;
	}
}

static void say(int fd, const char *text)
{
	put(fd, text, strlen(text));
}

static void send_frame(uint32_t type, struct slice payload)
{
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;

	frame_encode(type, payload, &out);
	put(channel, out.s, out.len);
}

static void greet(void)
{
	char buf[4096];

	say(qmp, "{\"QMP\": {\"version\": {\"qemu\": {\"micro\": 22, \"minor\": 2, \"major\": 7}, "
		 "\"package\": \"\"}, \"capabilities\": [\"oob\"]}}\r\n");
	if (read(qmp, buf, sizeof(buf)) <= 0)
		_exit(8);
	say(qmp, "{\"return\": {}, \"id\": 1}\r\n");
}

/* Answers whatever is asked, for ever, that its state is @status. */
_noreturn_ static void live_on(const char *status)
{
	unsigned id = 1;
	char buf[4096];

	for (;;) {
		ssize_t n = read(qmp, buf, sizeof(buf));

		if (n <= 0)
			_exit(0);
		for (ssize_t i = 0; i < n; i++)
			if (buf[i] == '\n')
				dprintf(qmp, "{\"return\": {\"status\": \"%s\"}, \"id\": %u}\r\n",
					status, ++id);
	}
}

_noreturn_ static void leave(const char *reason)
{
	dprintf(qmp,
		"{\"timestamp\": {\"seconds\": 1, \"microseconds\": 2}, \"event\": \"SHUTDOWN\", "
		"\"data\": {\"guest\": true, \"reason\": \"%s\"}}\r\n",
		reason);
	_exit(0);
}

static void boot(unsigned protocol, const char *llcs)
{
	_cleanup_(strbuf_done) struct strbuf ready = STRBUF_INIT;

	strbuf_addf(&ready,
		    "{\"protocol\":%u,\"topology\":{\"nodes\":[0],\"cpu\":[0,1],\"llc\":%s,"
		    "\"core\":[0,1],\"node\":[0,0]},\"notes\":[]}",
		    protocol, llcs);
	send_frame(FRAME_SRDY, strbuf_slice(&ready));
}

/* Says what it was told, then how that ended, and waits for the answer. */
_noreturn_ static void run_command(void)
{
	static const char status[4] = { 0, 42 };
	char buf[65536];

	boot(1, "[0,0]");
	send_frame(FRAME_SOUT, SLICE_LIT("hello"));
	send_frame(FRAME_EXIT, (struct slice){ status, sizeof(status) });
	if (read(channel, buf, sizeof(buf)) <= 0)
		_exit(7);
	leave("guest-shutdown");
}

_noreturn_ static void panic_with(const char *text)
{
	say(console, text);
	leave("guest-reset");
}

static void flood(int fd, unsigned mib)
{
	static const char block[65536] = "spam";

	for (unsigned i = 0; i < mib * 16; i++)
		put(fd, block, sizeof(block));
}

/* A known type, and more bytes than there can be. */
static void send_garbage(void)
{
	static const char header[FRAME_HEADER_BYTES] = { 'T', 'U', 'O', 'S', 1, 2, 3, 4 };

	put(channel, header, sizeof(header));
	flood(channel, 1);
}

static void greeted(const char *what)
{
	if (strcmp(what, "running") == 0)
		live_on("running");
	if (strcmp(what, "internal error") == 0 || (strcmp(what, "no kvm") == 0 && with_kvm)) {
		say(qmp, "{\"event\": \"STOP\", \"timestamp\": {}}\r\n");
		live_on("internal-error");
	}
	if (strcmp(what, "panic") == 0)
		panic_with("[ 1.0] Kernel panic - not syncing: sysrq triggered crash\r\n");
	if (strcmp(what, "no init") == 0)
		panic_with("Kernel panic - not syncing: No working init found.\r\n");
	if (strcmp(what, "int3") == 0)
		panic_with("Oops: int3: 0000 [#1]\r\nKernel panic - not syncing: Fatal\r\n");
	if (strcmp(what, "init died") == 0)
		panic_with("Kernel panic - not syncing: Attempted to kill init! exitcode=0\r\n");
	if (strcmp(what, "reset") == 0)
		leave("guest-reset");
	if (strcmp(what, "garbage") == 0)
		send_garbage();
	else if (strcmp(what, "topology") == 0)
		boot(1, "[0,1]");
	else if (strcmp(what, "protocol") == 0)
		boot(2, "[0,0]");
	else if (strcmp(what, "crash") == 0)
		send_frame(FRAME_CRSH, SLICE_LIT("no memory"));
	else if (strcmp(what, "flood") == 0)
		flood(console, 32);
	else if (strcmp(what, "silent") == 0)
		boot(1, "[0,0]");
	else if (strcmp(what, "stopped") == 0)
		raise(SIGSTOP);
	else
		run_command();
	live_on("running");
}

int main(int argc, char **argv)
{
	const char *what = getenv("FAKE_QEMU");

	find_descriptors(argc, argv);
	if (!what || qmp < 0 || channel < 0 || console < 0)
		return 6;
	if (strcmp(what, "mute") == 0)
		for (;;)
			pause();
	if (strcmp(what, "dies") == 0) {
		fputs("qemu: some warning\nqemu: no such device\n", stderr);
		return 1;
	}
	if (strcmp(what, "killed") == 0)
		raise(SIGKILL);
	if (strcmp(what, "no qmp") == 0)
		say(qmp, "220 mail.example.org ESMTP\r\n");
	else
		greet();
	greeted(what);
}
