/* SPDX-License-Identifier: GPL-2.0-only */
/* Compressed bytes as the file that a reader wants. */
#ifndef TESTS_ZFILE_SOURCE_H
#define TESTS_ZFILE_SOURCE_H

#include "unit.h"

#include <sys/mman.h>
#include <unistd.h>

#include "util/slice.h"

#define KIB 1024u
#define MIB (1024u * KIB)

/* The last block of a frame, of no bytes. */
#define EMPTY_RAW "\x01\x00\x00"

/* A file without a name, with the position at its start. */
static inline int file_of(struct slice bytes)
{
	int fd = memfd_create("zfile", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes.s, bytes.n), bytes.n);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

#endif
