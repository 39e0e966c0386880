/* SPDX-License-Identifier: GPL-2.0-only */
/* The terminal of the user, as it was, whatever becomes of us (but SIGKILL). */
#ifndef CLI_TTY_H
#define CLI_TTY_H

#include <stdbool.h>
#include <stdint.h>

#include "util/compiler.h"

/* Every key comes as it is typed. From now on each end of this program, that by a signal too, puts
 * the terminal back. 0 or -errno. */
_must_check_ int tty_raw(int fd);

/* As it was. Harmless when it is. */
void tty_restore(void);

/* False when @fd does not tell. */
bool tty_size(int fd, uint16_t *ret_rows, uint16_t *ret_cols);

#endif
