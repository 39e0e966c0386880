/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A file that appears whole or not at all: it is written without a name, and takes the place of
 * what is there only when it is complete and on the disk. What is there keeps its mode, and its
 * owner where we may give that away; symbolic links stay, what they lead to is replaced. A device,
 * a FIFO or a socket is written to directly.
 *
 * A file that has no name vanishes with us. Two things can leave one that has: replacing needs a
 * hidden name for the time between two system calls, and some file systems (NFS, vfat) do not know
 * files without a name. Then a SIGKILL at the wrong moment leaves the hidden file, a whole one in
 * the first case; the next that writes the same file puts it away.
 */
#ifndef UTIL_NEWFILE_H
#define UTIL_NEWFILE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "util/compiler.h"
#include "util/err.h"

struct newfile {
	int fd;           /* for writing */
	const char *path; /* as given, for messages */
	bool direct;      /* no file of ours: no more to do than to write */
	int dir;          /* the folder, and the name in it */
	char *name;
	char *hidden;  /* the name until it is complete, where it has to have one; else NULL */
	bool replaces; /* what `old` tells about */
	struct stat old;
};

#define NEWFILE_INIT                                                                               \
	{                                                                                          \
		.fd = -1, .dir = -1                                                                \
	}

/* @path outlives @f, which is NEWFILE_INIT. A file that we may not write to is not replaced. */
_must_check_ int newfile_open(struct newfile *f, const char *path, struct err *err);

/* Gives the file up unless newfile_commit() was successful. */
void newfile_done(struct newfile *f);

/* All is written: the file is there from now on. */
_must_check_ int newfile_commit(struct newfile *f, struct err *err);

#endif
