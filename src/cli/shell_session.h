/* SPDX-License-Identifier: GPL-2.0-only */
/* A user and a guest: what one types and the other says, from boot to the exit status. */
#ifndef CLI_SHELL_SESSION_H
#define CLI_SHELL_SESSION_H

#include <stdint.h>

#include "cli/outlet.h"
#include "vm/vm.h"

struct shell_session {
	bool tty;          /* the guest's command has a terminal, and ours is its picture */
	bool verbose;      /* the guest's console goes to our standard error */
	const char *title; /* what is booted, for the progress line */

	struct outlet out, err;
	int signals;      /* a signalfd */
	bool up;          /* the guest said that it runs */
	bool interrupted; /* a Ctrl-C was handed on to the command */
	bool progress;    /* there is a line to be wiped out */
	unsigned escapes; /* how often in a row the key that ends it all was pressed */
	bool has_status;
	int32_t status; /* of the command, as waitpid() tells it */
	int caught;     /* the signal that ended us; 0: none */
	int broken;     /* our own output: -errno */
};

/* Blocks the signals that the session deals with. 0 or -errno. */
_must_check_ int shell_session_init(struct shell_session *s);
/* The terminal and the signals are as they were. */
void shell_session_done(struct shell_session *s);

void shell_session_events(struct shell_session *s, struct vm_events *ret);

#endif
