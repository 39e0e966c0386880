// SPDX-License-Identifier: GPL-2.0-only
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/exit.h"
#include "util/log.h"

static int first_error;

/* Stdio keeps that a write failed but not why, and by the time anybody asks, errno is another. */
static ssize_t write_stdout(void *cookie, const char *bytes, size_t n)
{
	size_t done = 0;

	(void)cookie;
	while (done < n && !first_error) {
		ssize_t r = write(STDOUT_FILENO, bytes + done, n - done);

		if (r >= 0)
			done += (size_t)r;
		else if (errno != EINTR)
			first_error = errno;
	}
	return (ssize_t)done;
}

/* Network file systems tell at this point that there was no room. */
static int close_stdout(void *cookie)
{
	(void)cookie;
	if (close(STDOUT_FILENO) == 0)
		return 0;
	if (!first_error)
		first_error = errno;
	return -1;
}

void output_init(void)
{
	const cookie_io_functions_t functions = { .write = write_stdout, .close = close_stdout };
	FILE *out;

	for (int fd = 0; fd <= 2; fd++)
		/* Opened the wrong way round on purpose. The lowest free number is fd itself. */
		if (fcntl(fd, F_GETFD) < 0)
			(void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
	out = fopencookie(NULL, "w", functions);
	if (!out)
		return; /* out of memory: the usual stream loses causes, not output */
	setvbuf(out, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
	stdout = out;
}

int output_finish(int code)
{
	int lost = ferror(stdout);

	if (fclose(stdout) == 0 && !lost)
		return code;
	if (first_error)
		log_error("cannot write to standard output: %s", strerror(first_error));
	else
		log_error("cannot write to standard output");
	return EXIT_TROUBLE;
}
