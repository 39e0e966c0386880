/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a kernel is looked for; kernel_find() looks on this machine. */
#ifndef KERNEL_FIND_H
#define KERNEL_FIND_H

#include "kernel/kernel.h"
#include "util/root.h"

/* All strings are borrowed; an empty one is as good as none. */
struct kernel_places {
	const struct root *root;    /* the machine, for lib/modules and boot */
	const char *test_kernel;    /* KTSTR_TEST_KERNEL or NULL */
	const char *kernel;         /* KTSTR_KERNEL or NULL */
	const char *cache;          /* folder of the entries; NULL: there is none */
	const char *here;           /* the folder beside which `linux` is looked for: "." */
	const char *arch, *running; /* as uname -m and uname -r */
};

/*
 * As kernel_find(). Without @want, the first of these that has one:
 *   1. test_kernel, the path of an image;
 *   2. kernel, as if it was @want;
 *   3. the newest valid entry of the cache;
 *   4. the build trees here/linux, then here/../linux;
 *   5. the running kernel's build tree, then the image among its modules;
 *   6. the boot folder: the running kernel's image, then the highest version.
 * What 1 and 2 name has to be there: no other kernel is booted in its place.
 */
_must_check_ int kernel_find_in(const struct kernel_places *places, const char *want,
				struct kernel *ret, struct err *err);

#endif
