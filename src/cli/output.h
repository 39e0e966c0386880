/* SPDX-License-Identifier: GPL-2.0-only */
/* Standard streams: results that did not arrive are a failure. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

/* Makes sure that file descriptors 0 to 2 are taken, so that no file of ours becomes stdout. What
 * was closed stays unusable: writing to it fails. From here on stdout is a stream of ours, without
 * a fileno(), that knows the cause of its first failure. */
void output_init(void);

/* Flushes and closes stdout. Returns @code, or EXIT_TROUBLE with a message that has the cause
 * when anything written was lost. */
int output_finish(int code);

#endif
