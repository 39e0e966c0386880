/* SPDX-License-Identifier: GPL-2.0-only */
/* The guest's serial console: its last lines, and the words that tell an end. Pure. */
#ifndef VM_CONSOLE_H
#define VM_CONSOLE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/slice.h"
#include "util/strbuf.h"
#include "vm/vm.h"

#define CONSOLE_TAIL_BYTES (64u * 1024)
#define CONSOLE_LINE_MAX   400u

struct console {
	char *ring;    /* CONSOLE_TAIL_BYTES, or NULL while nothing came */
	uint64_t seen; /* bytes of it all */
	char line[CONSOLE_LINE_MAX];
	size_t line_len;
	/* The worst sign so far: VM_ENDED_POWEROFF stands for none. */
	enum vm_ended sign;
	char sign_line[CONSOLE_LINE_MAX];
	bool init_ran; /* the kernel said that it starts init */
};

void console_done(struct console *c);

/* @emulated: signs that only an emulator can be blamed for count. */
void console_feed(struct console *c, struct slice bytes, bool emulated);

/* Appends the last bytes, from the beginning of a line on. */
void console_tail(const struct console *c, struct strbuf *out);

#endif
