// SPDX-License-Identifier: GPL-2.0-only
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/exit.h"
#include "util/log.h"

void output_init(void)
{
	for (int fd = 0; fd <= 2; fd++)
		/* Opened the wrong way round on purpose. The lowest free number is fd itself. */
		if (fcntl(fd, F_GETFD) < 0)
			(void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

int output_finish(int code)
{
	int lost = ferror(stdout);

	errno = 0;
	if (fclose(stdout) == 0 && !lost)
		return code;
	if (errno)
		log_error("cannot write to standard output: %s", strerror(errno));
	else
		log_error("cannot write to standard output");
	return EXIT_TROUBLE;
}
