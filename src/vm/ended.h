/* SPDX-License-Identifier: GPL-2.0-only */
/* From what was seen of a VM to how it ended: pure. */
#ifndef VM_ENDED_H
#define VM_ENDED_H

#include "util/strbuf.h"
#include "vm/console.h"
#include "vm/vm.h"

struct vm_facts {
	bool framed;        /* the guest sent something */
	bool finished;      /* it said how its command or its test ended */
	unsigned life;      /* the last enum guest_life; 0: none */
	char crash[256];    /* last words of init */
	char shutdown[48];  /* QEMU's reason for its end: "guest-shutdown", "guest-reset", ... */
	char run_state[48]; /* of a VM that stopped without being asked: "internal-error" */
	bool exited;        /* QEMU */
	int status;         /* as waitpid() tells it */
	struct slice said;  /* QEMU's standard error */
};

/* "init started but payload never ran ...": the label of the stage it did not get past. */
const char *vm_stage(const struct vm_facts *facts);

/* For a VM that ended by itself. Appends the reason to @why. */
enum vm_ended vm_judge(const struct vm_facts *facts, const struct console *console,
		       struct strbuf *why);

#endif
