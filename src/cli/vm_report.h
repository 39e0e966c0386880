/* SPDX-License-Identifier: GPL-2.0-only */
/* Tells people, on standard error, about a VM that did not end as it should. */
#ifndef CLI_VM_REPORT_H
#define CLI_VM_REPORT_H

#include "vm/vm.h"

/* How it ended, why, what ran it, and the last lines of its console. */
void vm_report_broken(const struct vm_outcome *outcome);

#endif
