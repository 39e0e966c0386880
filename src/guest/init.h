/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Process 1 of a guest. It does not run the test: it sets the guest up, forks one runner, reaps,
 * is the only writer of the port, and powers off.
 */
#ifndef GUEST_INIT_H
#define GUEST_INIT_H

#include <stdbool.h>

#include "util/compiler.h"

/* Whether this process is to be the init of a guest: it is process 1, and the kernel's command line
 * says so. Mounts /proc if it has to. */
bool init_is_due(void);

/* Never returns: the guest powers off. */
_noreturn_ void init_run(void);

#endif
