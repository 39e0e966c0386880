/* SPDX-License-Identifier: GPL-2.0-only */
/* What the commands about kernels share: the cache, the table of its entries, work that can be
 * stopped. */
#ifndef CLI_KERNEL_PRINT_H
#define CLI_KERNEL_PRINT_H

#include "kernel/cache.h"
#include "kernel/make.h"
#include "render/render.h"
#include "util/strbuf.h"

/* The cache of this user and the architecture of this machine: EXIT_OK, or EXIT_TROUBLE with a
 * message. */
int kernel_cache_open(struct strbuf *ret_folder, struct strbuf *ret_arch);

/* Entries as a table of that name; returns an exit code. */
int kernel_print(const struct kernel_entry *entries, size_t n, const char *name,
		 enum render_format format);

/* Runs kernel_fetch() or kernel_build() and prints the entry. Ctrl-C ends the work, leaves nothing
 * behind, and then this program as it would without us. Returns an exit code. */
typedef int kernel_maker(const struct kernel_job *job, const char *what, struct kernel_entry *ret,
			 struct err *err);
int kernel_make(kernel_maker *make, const char *what, unsigned jobs, enum render_format format);

#endif
