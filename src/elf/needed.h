/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a program needs besides itself to start: the interpreter of a script, the loader, and every
 * shared library, found as this host's loader (glibc's) would find them without LD_LIBRARY_PATH.
 *
 * Builds of a library for certain processors (glibc-hwcaps) are left out, as the machine that the
 * program goes to may have another one. What is loaded at run time (dlopen, NSS) is unknown here.
 */
#ifndef ELF_NEEDED_H
#define ELF_NEEDED_H

#include <stddef.h>

#include "util/compiler.h"
#include "util/err.h"
#include "util/root.h"

struct elf_file {
	char *from; /* where it is: absolute, below the root */
	/* Where the loader will look for it, if nothing but these files is there. "$ORIGIN" moves
	 * with the program. What comes from the cache or the usual folders stands in the loader's
	 * own folder, which it searches with and without a cache. May hold "..". */
	char *at;
};

struct elf_files {
	struct elf_file *v;
	size_t n, cap;
};

#define ELF_FILES_INIT                                                                             \
	{                                                                                          \
	}

void elf_files_done(struct elf_files *files);

/* For the program @from, an absolute path below @root, that will stand at @at: its files in the
 * order in which the loader meets them; none for a static program. The same file can come under
 * several names. @ret is ELF_FILES_INIT. -ENOENT: something is not there, @err tells what and who
 * needs it; -ENOEXEC: no program, or none of this machine; -EBADMSG: damaged. */
_must_check_ int elf_needed(const struct root *root, const char *from, const char *at,
			    struct elf_files *ret, struct err *err);

#endif
