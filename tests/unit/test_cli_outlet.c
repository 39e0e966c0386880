// SPDX-License-Identifier: GPL-2.0-only
#include "cli/outlet.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "unit.h"
#include "util/alloc.h"
#include "util/cleanup.h"

#define MUCH (4u * 1024 * 1024)

/* Whatever it is, it takes what it takes, and the rest later. */
static void check_flow(int writer, int reader)
{
	_cleanup_free_ char *bytes = xcalloc(1, MUCH);
	struct outlet o = OUTLET_INIT;
	size_t got = 0;

	for (unsigned i = 0; i < MUCH; i++)
		bytes[i] = (char)(unsigned char)(i * 7);
	outlet_open(&o, writer);
	assert_int_equal(fcntl(writer, F_GETFL) & O_NONBLOCK, 0);
	assert_int_equal(outlet_write(&o, (struct slice){ bytes, MUCH }), 0);
	assert_false(outlet_is_empty(&o));
	while (got < MUCH) {
		char part[50000];
		ssize_t n = read(reader, part, sizeof(part));

		assert_true(n > 0);
		assert_memory_equal(part, bytes + got, (size_t)n);
		got += (size_t)n;
		assert_int_equal(outlet_flush(&o), 0);
	}
	assert_true(outlet_is_empty(&o));
	outlet_done(&o);
	close(writer);
	close(reader);
}

static void a_full_pipe_makes_nobody_wait(void **state)
{
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	check_flow(ends[1], ends[0]);
}

static void a_full_socket_makes_nobody_wait(void **state)
{
	int ends[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	check_flow(ends[1], ends[0]);
}

static void a_file_goes_on_where_it_was(void **state)
{
	char path[] = "/tmp/ktstr-outlet-XXXXXX", text[16] = "";
	struct outlet o = OUTLET_INIT;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "ab", 2), 2);
	outlet_open(&o, fd);
	assert_int_equal(outlet_write(&o, SLICE_LIT("cd")), 0);
	outlet_done(&o);
	assert_int_equal(pread(fd, text, sizeof(text), 0), 4);
	assert_string_equal(text, "abcd");
	close(fd);
	unlink(path);
}

static void a_stream_that_fails_says_why(void **state)
{
	struct outlet full = OUTLET_INIT, closed = OUTLET_INIT;
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC), ends[2];

	(void)state;
	outlet_open(&full, fd);
	assert_int_equal(outlet_write(&full, SLICE_LIT("a")), -ENOSPC);
	outlet_done(&full);
	close(fd);
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	close(ends[0]);
	outlet_open(&closed, ends[1]);
	assert_int_equal(outlet_write(&closed, SLICE_LIT("a")), -EPIPE);
	outlet_done(&closed);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_pipe_makes_nobody_wait),
		cmocka_unit_test(a_full_socket_makes_nobody_wait),
		cmocka_unit_test(a_file_goes_on_where_it_was),
		cmocka_unit_test(a_stream_that_fails_says_why),
	};

	return cmocka_run_group_tests_name("outlet", tests, NULL, NULL);
}
