/* SPDX-License-Identifier: GPL-2.0-only */
/* What one ELF file tells the dynamic loader. Nothing in the file is trusted. */
#ifndef ELF_OBJECT_H
#define ELF_OBJECT_H

#include <stdbool.h>

#include "util/compiler.h"
#include "util/err.h"
#include "util/strv.h"

struct elf_object {
	char *interp; /* PT_INTERP; these four are NULL where there is none */
	char *soname;
	char *rpath; /* NULL also beside a DT_RUNPATH, as it does not count then */
	char *runpath;
	struct strv needed; /* in the order of the file */
	bool nodeflib;      /* not to be looked for in the usual places */
};

#define ELF_OBJECT_INIT                                                                            \
	{                                                                                          \
		.needed = STRV_INIT                                                                \
	}

void elf_object_done(struct elf_object *o);

/* 1 read into @ret, which is ELF_OBJECT_INIT; 0 when it is no ELF file at all. -ENOEXEC: sound, but
 * for another kind of machine or nothing to run; -EBADMSG: damaged. @err names no file. */
_must_check_ int elf_object_read(int fd, struct elf_object *ret, struct err *err);

#endif
