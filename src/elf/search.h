/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the loader finds a library: the rules of ld.so(8), for elf_needed(). */
#ifndef ELF_SEARCH_H
#define ELF_SEARCH_H

#include <stdbool.h>

#include "elf/object.h"
#include "util/root.h"
#include "util/strbuf.h"
#include "util/vec.h"

/* The program or one of its libraries. */
struct lib {
	struct elf_object elf;
	char *name; /* as it was asked for */
	char *from; /* as in struct elf_file */
	char *at;
	char *origin;  /* what "$ORIGIN" is on this host */
	size_t parent; /* who asked for it first; the program is its own */
};

struct search {
	const struct root *root;
	VEC(struct lib) libs; /* the program comes first */
	struct strbuf cache;  /* of the loader */
	char *folder;         /* the loader's own, without symbolic links */
	unsigned tries;
};

#define SEARCH_INIT                                                                                \
	{                                                                                          \
		.cache = STRBUF_INIT                                                               \
	}

void search_done(struct search *s);

/* Prepares for programs of the loader @interp; NULL for a library without one. */
_must_check_ int search_set_loader(struct search *s, const char *interp, struct err *err);

/* Finds @name for s->libs.v[@who] and appends it to the libraries. @err names nothing but the
 * file that is damaged. -ENOENT: nowhere. */
_must_check_ int search_library(struct search *s, size_t who, const char *name, struct err *err);

/* A path without symbolic links, "/" being the root. */
_must_check_ int search_real_path(const struct root *root, const char *path, struct strbuf *ret);

/* The folder that @path is in, to be freed. */
char *search_folder(const char *path);

#endif
