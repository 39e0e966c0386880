/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Last words of an init that crashed. The kernel panics when process 1 is gone, and that says
 * nothing of why.
 */
#ifndef GUEST_CRASH_H
#define GUEST_CRASH_H

/* From now on a fault is reported on @console. */
void crash_install(int console);

/* And to the host, as a frame CRSH. */
void crash_tell_port(int port);

#endif
