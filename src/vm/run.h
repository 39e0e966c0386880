/* SPDX-License-Identifier: GPL-2.0-only */
/* A VM while it runs: for the files that make up vm_run(). */
#ifndef VM_RUN_H
#define VM_RUN_H

#include "vm/console.h"
#include "vm/deadline.h"
#include "vm/ended.h"
#include "vm/qmp.h"
#include "vm/ram.h"
#include "vm/spawn.h"

#define VM_WATCHES_MAX 8u
/* What waits for the guest at most, and from where on nobody should read more for it. */
#define VM_OUTBOX_MAX  (1024u * 1024)
#define VM_OUTBOX_FULL (256u * 1024)

struct vm {
	const struct vm_config *config;
	const struct vm_events *events;
	enum vm_accel accel;
	struct qemu qemu;
	struct ram ram;

	struct qmp qmp;
	struct frame_reader reader;
	uint64_t read_ns;     /* when the last bytes for the reader came */
	struct strbuf outbox; /* frames for the guest */
	size_t outbox_at;     /* of it: written */
	struct console console;
	struct strbuf said; /* QEMU's standard error, the last of it */

	struct {
		int fd;
		enum vm_watch how;
	} watches[VM_WATCHES_MAX];
	unsigned n_watches;
	bool held;

	uint64_t start_ns,
		boot_ns; /* the first: CLOCK_MONOTONIC; the second: 0 until a frame came */
	struct deadline boot, silent, total;
	struct deadline grace; /* for an end that is certain: what is left to be read */
	struct deadline pulse; /* when to ask QEMU whether it lives */
	struct vm_facts facts;
	bool decided; /* `ended` and `why` are final */
	enum vm_ended ended;
	struct strbuf why;
	bool over;
};

/* The end is certain. The first one who says so is right. */
void vm_decide(struct vm *vm, enum vm_ended ended, const char *fmt, ...) _printf_(3, 4);
/* It is over at the latest in @ms. */
void vm_wind_up(struct vm *vm, unsigned ms);

/* Reads what is there now; a descriptor that is at its end is closed. */
void vm_read_qmp(struct vm *vm);
void vm_read_channel(struct vm *vm);
void vm_read_console(struct vm *vm);
void vm_read_errors(struct vm *vm);
/* QEMU has ended: reaps it. */
void vm_read_exit(struct vm *vm);
/* Hands over the messages that are whole. */
void vm_pump(struct vm *vm);
void vm_write_qmp(struct vm *vm);
void vm_write_channel(struct vm *vm);

/* Until it is over. */
void vm_loop(struct vm *vm);

#endif
