/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Undo on scope exit. Declare a variable where it is initialised, so that undo runs in reverse
 * order of creation; hand ownership over with take_ptr() or take_fd().
 */
#ifndef UTIL_CLEANUP_H
#define UTIL_CLEANUP_H

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define _cleanup_(f) __attribute__((cleanup(f)))

#define _cleanup_free_     _cleanup_(cleanup_free)
#define _cleanup_close_    _cleanup_(cleanup_close)
#define _cleanup_fclose_   _cleanup_(cleanup_fclose)
#define _cleanup_closedir_ _cleanup_(cleanup_closedir)

static inline void cleanup_free(void *p)
{
	free(*(void **)p);
}

/* Keeps errno: a cleanup must not change what the function reports. */
static inline void cleanup_close(const int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		close(*fd);
	errno = saved;
}

static inline void cleanup_fclose(FILE **f)
{
	if (*f)
		fclose(*f);
}

static inline void cleanup_closedir(DIR **d)
{
	if (*d)
		closedir(*d);
}

/* Evaluates to the pointer and leaves NULL behind, so its cleanup does nothing. */
#define take_ptr(p)                                                                                \
	({                                                                                         \
		typeof(p) *take_from_ = &(p);                                                      \
		typeof(p) taken_ = *take_from_;                                                    \
		*take_from_ = NULL;                                                                \
		taken_;                                                                            \
	})

static inline int take_fd(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

#endif
