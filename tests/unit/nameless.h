/* SPDX-License-Identifier: GPL-2.0-only */
/* Files without a name. */
#ifndef TESTS_NAMELESS_H
#define TESTS_NAMELESS_H

#include <sys/mman.h>
#include <unistd.h>

#include "unit.h"
#include "util/slice.h"

#define KIB 1024u
#define MIB (1024u * KIB)

/* With these bytes and the position at its start. */
static inline int file_of(struct slice bytes)
{
	int fd = memfd_create("zfile", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes.s, bytes.n), bytes.n);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

#endif
