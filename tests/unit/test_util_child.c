// SPDX-License-Identifier: GPL-2.0-only
#include "util/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "unit.h"
#include "util/cleanup.h"

static int run_child(void (*body)(void *ctx, int out), void *ctx, int timeout_ms,
		     struct strbuf *output)
{
	struct child child;
	int r = child_start(&child, body, ctx, timeout_ms);

	return r < 0 ? r : child_finish(&child, output);
}

static void say(void *ctx, int out)
{
	if (write(out, ctx, strlen(ctx)) < 0)
		_exit(1);
}

static void say_too_much(void *ctx, int out)
{
	static const char block[4096];

	(void)ctx;
	for (int i = 0; i < 100; i++)
		if (write(out, block, sizeof(block)) < 0)
			_exit(1);
}

static void end_badly(void *ctx, int out)
{
	(void)ctx;
	(void)out;
	_exit(3);
}

static void start_nothing(void *ctx, int out)
{
	(void)ctx;
	(void)out;
	execl("/nonexistent/program", "program", (char *)NULL);
	_exit(127);
}

static void die(void *ctx, int out)
{
	(void)ctx;
	(void)out;
	raise(SIGKILL);
}

static void hang(void *ctx, int out)
{
	(void)ctx;
	(void)out;
	for (;;)
		pause();
}

/* Gives no sign any more, but does not end. */
static void hang_in_silence(void *ctx, int out)
{
	close(out);
	hang(ctx, out);
}

static void hang_talking(void *ctx, int out)
{
	say(ctx, out);
	hang(ctx, out);
}

/* Hangs, and has a child that does, too. */
static void hang_in_company(void *ctx, int out)
{
	pid_t pid = fork();

	if (pid > 0 && write(out, &pid, sizeof(pid)) != sizeof(pid))
		_exit(1);
	hang(ctx, out);
}

static bool is_running(pid_t pid)
{
	char path[64], state = '?';
	FILE *stat;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	stat = fopen(path, "r");
	if (!stat)
		return false;
	if (fscanf(stat, "%*d (%*[^)]) %c", &state) != 1)
		state = '?';
	fclose(stat);
	return state != 'Z' && state != 'X';
}

static void what_a_child_started_ends_with_it(void **state)
{
	static const struct timespec moment = { .tv_nsec = 10000000 };
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
	pid_t pid;

	(void)state;
	assert_int_equal(run_child(hang_in_company, NULL, 200, &out), -ETIMEDOUT);
	assert_int_equal(out.len, sizeof(pid));
	memcpy(&pid, out.s, sizeof(pid));
	/* It was killed before we returned; dying takes it a moment. */
	for (int i = 0; i < 200 && is_running(pid); i++)
		nanosleep(&moment, NULL);
	assert_false(is_running(pid));
}

/* Waits for a byte from somebody else. */
static void hear(void *ctx, int out)
{
	char byte;

	(void)out;
	if (read(((int *)ctx)[0], &byte, 1) != 1)
		_exit(1);
}

static void tell(void *ctx, int out)
{
	(void)out;
	if (write(((int *)ctx)[1], "", 1) != 1)
		_exit(1);
}

static void children_run_side_by_side(void **state)
{
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
	struct child first, second;
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(child_start(&first, hear, ends, 5000), 0);
	assert_int_equal(child_start(&second, tell, ends, 5000), 0);
	assert_int_equal(child_finish(&first, &out), 0);
	assert_int_equal(child_finish(&second, &out), 0);
	close(ends[0]);
	close(ends[1]);
}

static void every_end_is_told_apart(void **state)
{
	static const struct {
		const char *label;
		void (*body)(void *ctx, int out);
		int result;
		size_t length;
	} rows[] = {
		{ "speaks", say, 0, 5 },
		{ "speaks too much", say_too_much, 0, CHILD_OUTPUT_MAX },
		{ "fails", end_badly, -ECHILD, 0 },
		{ "cannot start a program", start_nothing, -ENOEXEC, 0 },
		{ "is killed", die, -ECHILD, 0 },
		{ "hangs", hang, -ETIMEDOUT, 0 },
		{ "hangs in silence", hang_in_silence, -ETIMEDOUT, 0 },
		{ "hangs talking", hang_talking, -ETIMEDOUT, 5 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
		char words[] = "words";

		print_message("# %s\n", rows[i].label);
		assert_int_equal(run_child(rows[i].body, words, 200, &out), rows[i].result);
		assert_int_equal(out.len, rows[i].length);
		/* Nobody is left. */
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
		assert_int_equal(errno, ECHILD);
	}
}

/* Counts what it is told. */
struct listener {
	struct child_watch watch;
	size_t bytes, ticks;
};

static void count_output(void *ctx, const char *bytes, size_t n)
{
	struct listener *l = ctx;

	(void)bytes;
	l->bytes += n;
}

static void count_tick(void *ctx)
{
	struct listener *l = ctx;

	l->ticks++;
}

static void listen_to(struct listener *l, int stop_fd)
{
	*l = (struct listener){};
	l->watch = (struct child_watch){
		.ctx = l,
		.output = count_output,
		.tick = count_tick,
		.tick_ms = 1,
		.stop_fd = stop_fd,
	};
}

static void all_of_a_long_output_is_handed_over(void **state)
{
	struct listener l;
	struct child child;

	(void)state;
	listen_to(&l, -1);
	assert_int_equal(child_start(&child, say_too_much, NULL, CHILD_NO_TIMEOUT), 0);
	assert_int_equal(child_follow(&child, &l.watch), 0);
	assert_int_equal(l.bytes, 100 * 4096);
}

static void a_child_can_be_given_up(void **state)
{
	struct listener l;
	struct child child;
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(write(ends[1], "", 1), 1);
	listen_to(&l, ends[0]);
	assert_int_equal(child_start(&child, hang, NULL, CHILD_NO_TIMEOUT), 0);
	assert_int_equal(child_follow(&child, &l.watch), -ECANCELED);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	close(ends[0]);
	close(ends[1]);
}

static void ticks_come_while_a_child_is_silent(void **state)
{
	struct listener l;
	struct child child;

	(void)state;
	listen_to(&l, -1);
	assert_int_equal(child_start(&child, hang, NULL, 100), 0);
	assert_int_equal(child_follow(&child, &l.watch), -ETIMEDOUT);
	assert_true(l.ticks > 1);
	assert_int_equal(l.bytes, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_end_is_told_apart),
		cmocka_unit_test(children_run_side_by_side),
		cmocka_unit_test(what_a_child_started_ends_with_it),
		cmocka_unit_test(all_of_a_long_output_is_handed_over),
		cmocka_unit_test(a_child_can_be_given_up),
		cmocka_unit_test(ticks_come_while_a_child_is_silent),
	};

	return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
