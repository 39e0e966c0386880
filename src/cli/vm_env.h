/* SPDX-License-Identifier: GPL-2.0-only */
/* Deadlines of a VM that the user may set: machines are not all as fast. */
#ifndef CLI_VM_ENV_H
#define CLI_VM_ENV_H

#include "vm/vm.h"

/* Fills in the deadlines of @config but total_ms. 0; -EINVAL with the variable that makes no sense.
 */
_must_check_ int vm_env(struct vm_config *config, struct err *err);

#endif
