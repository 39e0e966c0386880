// SPDX-License-Identifier: GPL-2.0-only
/* Init's loop as an ordinary process, with a socket for its port: this test is the host. */
#include "guest/loop.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"
#include "util/cleanup.h"
#include "util/log.h"

#define PATIENCE_MS 60000

struct host {
	int fd;
	pid_t pid;
	struct frame_reader in;
	struct strbuf out, err, crash;
	int status; /* of the command; -1: not told */
};

_noreturn_ static void be_init(int port, const struct job *job)
{
	struct loop l;
	struct err err;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_IGN);
	log_set_level(LOG_LEVEL_ERROR);
	close(STDERR_FILENO);
	if (loop_init(&l, port, &err) < 0)
		_exit(100);
	if (runner_start(&l.runner, job, &err) < 0)
		loop_fail(&l, err.text);
	loop_run(&l);
	/* What a power-off would end. */
	kill(-l.runner.pid, SIGKILL);
	loop_done(&l);
	_exit(0);
}

static void host_start(struct host *h, const char *command, bool tty)
{
	_cleanup_(
		job_done) struct job job = { .kind = JOB_EXEC, .tty = tty, .rows = 24, .cols = 80 };
	int fds[2];

	*h = (struct host){
		.in = FRAME_READER_INIT,
		.out = STRBUF_INIT,
		.err = STRBUF_INIT,
		.crash = STRBUF_INIT,
		.status = -1,
	};
	strv_add(&job.argv, "/bin/sh");
	strv_add(&job.argv, "-c");
	strv_add(&job.argv, command);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
	h->pid = fork();
	assert_true(h->pid >= 0);
	if (h->pid == 0) {
		close(fds[0]);
		fcntl(fds[1], F_SETFL, O_NONBLOCK);
		be_init(fds[1], &job);
	}
	close(fds[1]);
	h->fd = fds[0];
}

static void host_send(const struct host *h, uint32_t type, struct slice payload)
{
	_cleanup_(strbuf_done) struct strbuf bytes = STRBUF_INIT;

	frame_encode(type, payload, &bytes);
	assert_int_equal(send(h->fd, bytes.s, bytes.len, MSG_NOSIGNAL), bytes.len);
}

static void host_take(struct host *h, const struct frame *f)
{
	if (f->type == FRAME_SOUT)
		strbuf_addslice(&h->out, f->payload);
	if (f->type == FRAME_SERR)
		strbuf_addslice(&h->err, f->payload);
	if (f->type == FRAME_CRSH)
		strbuf_addslice(&h->crash, f->payload);
	if (f->type == FRAME_EXIT) {
		assert_int_equal(f->payload.n, 4);
		h->status = (unsigned char)f->payload.s[0] | (unsigned char)f->payload.s[1] << 8;
		host_send(h, FRAME_EXIT, SLICE_LIT(""));
	}
}

/* Reads until @text was in the output, or, without one, until init has gone. */
static void host_read(struct host *h, const char *text)
{
	char bytes[65536];
	struct frame f;

	while (!text || !strstr(h->out.s, text)) {
		struct pollfd p = { .fd = h->fd, .events = POLLIN };
		ssize_t n;

		assert_int_equal(poll(&p, 1, PATIENCE_MS), 1);
		n = read(h->fd, bytes, sizeof(bytes));
		if (n <= 0)
			break;
		frame_reader_feed(&h->in, bytes, (size_t)n);
		while (frame_next(&h->in, &f) == 1)
			host_take(h, &f);
		assert_int_equal(h->in.broken, 0);
	}
	if (text)
		assert_non_null(strstr(h->out.s, text));
}

static int host_finish(struct host *h)
{
	int status;

	host_read(h, NULL);
	assert_int_equal(waitpid(h->pid, &status, 0), h->pid);
	assert_int_equal(status, 0);
	close(h->fd);
	frame_reader_done(&h->in);
	return h->status;
}

static void host_done(struct host *h)
{
	strbuf_done(&h->out);
	strbuf_done(&h->err);
	strbuf_done(&h->crash);
}

static void commands_end_with_their_status(void **state)
{
	static const struct {
		const char *command;
		int status;
		const char *out, *err;
	} cases[] = {
		{ "exit 0", 0, "", "" },
		{ "exit 7", 7 << 8, "", "" },
		{ "kill -9 $$", SIGKILL, "", "" },
		{ "echo out; echo err >&2; exit 1", 1 << 8, "out\n", "err\n" },
		{ "exec /no/such", 127 << 8, "", NULL },
		{ "sleep 1000 & echo done", 0, "done\n", "" },
		{ "printf %s $KTSTR_GUEST; pwd", 0, "1/\n", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(host_done) struct host h;

		print_message("# %s\n", cases[i].command);
		host_start(&h, cases[i].command, false);
		assert_int_equal(host_finish(&h), cases[i].status);
		assert_string_equal(h.out.s, cases[i].out);
		if (cases[i].err)
			assert_string_equal(h.err.s, cases[i].err);
	}
}

static void much_output_waits_for_a_slow_host(void **state)
{
	_cleanup_(host_done) struct host h;

	(void)state;
	host_start(&h, "head -c 8000000 /dev/zero; printf end", false);
	/* Long enough for every buffer on the way to fill. */
	poll(NULL, 0, 300);
	assert_int_equal(host_finish(&h), 0);
	assert_int_equal(h.out.len, 8000003);
	assert_string_equal(h.out.s + 8000000, "end");
}

static void input_reaches_the_command_and_ends(void **state)
{
	_cleanup_(host_done) struct host h;

	(void)state;
	host_start(&h, "cat; echo that was all", false);
	host_send(&h, FRAME_STDN, SLICE_LIT("some\n"));
	host_read(&h, "some\n");
	host_send(&h, FRAME_STDN, SLICE_LIT("more\n"));
	host_send(&h, FRAME_STDN, SLICE_LIT(""));
	assert_int_equal(host_finish(&h), 0);
	assert_string_equal(h.out.s, "some\nmore\nthat was all\n");
}

static void signals_reach_the_whole_command(void **state)
{
	_cleanup_(host_done) struct host h;

	(void)state;
	host_start(&h,
		   "trap 'echo got it; exit 3' INT; echo ready; "
		   "while :; do sleep 0.05; done",
		   false);
	host_read(&h, "ready");
	host_send(&h, FRAME_SIGN, SLICE_LIT("\x02"));
	assert_int_equal(host_finish(&h), 3 << 8);
	assert_string_equal(h.out.s, "ready\ngot it\n");
}

static void a_terminal_has_a_size_and_control_c(void **state)
{
	_cleanup_(host_done) struct host h;

	(void)state;
	host_start(&h,
		   "stty size; trap 'stty size; echo resized' WINCH; trap 'echo; exit 4' INT;"
		   "echo ready; while :; do sleep 0.05; done",
		   true);
	host_read(&h, "ready");
	host_send(&h, FRAME_WINS, SLICE_LIT("\x32\0\xc8\0"));
	host_read(&h, "resized");
	host_send(&h, FRAME_STDN, SLICE_LIT("\x03"));
	assert_int_equal(host_finish(&h), 4 << 8);
	assert_non_null(strstr(h.out.s, "24 80\r\n"));
	assert_non_null(strstr(h.out.s, "50 200\r\n"));
	assert_int_equal(h.err.len, 0);
}

static void a_terminal_gives_all_of_its_output(void **state)
{
	_cleanup_(host_done) struct host h;

	(void)state;
	host_start(&h, "seq 1 20000", true);
	assert_int_equal(host_finish(&h), 0);
	assert_int_equal(h.out.len, 108894 + 20000);
}

static void senseless_messages_are_passed_over(void **state)
{
	_cleanup_(host_done) struct host h;

	(void)state;
	host_start(&h, "cat", false);
	host_send(&h, FRAME_SIGN, SLICE_LIT(""));
	host_send(&h, FRAME_SIGN, SLICE_LIT("\0"));
	host_send(&h, FRAME_SIGN, SLICE_LIT("\xff"));
	host_send(&h, FRAME_WINS, SLICE_LIT("x"));
	host_send(&h, FRAME_SRDY, SLICE_LIT("{}"));
	host_send(&h, FRAME_EXIT, SLICE_LIT(""));
	host_send(&h, FRAME_STDN, SLICE_LIT("there"));
	host_send(&h, FRAME_STDN, SLICE_LIT(""));
	assert_int_equal(host_finish(&h), 0);
	assert_string_equal(h.out.s, "there");
}

static void garbage_ends_it_with_last_words(void **state)
{
	_cleanup_(host_done) struct host h;

	(void)state;
	host_start(&h, "sleep 1000", false);
	assert_int_equal(send(h.fd, "garbage, not a frame", 20, MSG_NOSIGNAL), 20);
	assert_int_equal(host_finish(&h), -1);
	assert_non_null(strstr(h.crash.s, "a frame of type 0x"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_end_with_their_status),
		cmocka_unit_test(much_output_waits_for_a_slow_host),
		cmocka_unit_test(input_reaches_the_command_and_ends),
		cmocka_unit_test(signals_reach_the_whole_command),
		cmocka_unit_test(a_terminal_has_a_size_and_control_c),
		cmocka_unit_test(a_terminal_gives_all_of_its_output),
		cmocka_unit_test(senseless_messages_are_passed_over),
		cmocka_unit_test(garbage_ends_it_with_last_words),
	};

	return cmocka_run_group_tests_name("guest_loop", tests, NULL, NULL);
}
