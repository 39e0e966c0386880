/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef DOCTOR_BTF_NAMES_H
#define DOCTOR_BTF_NAMES_H

#include <stdbool.h>

#include "util/slice.h"

/* Whether a BTF blob has a type, member or function of that name: whatever has a name in BTF has
 * it in the string section. False for what is no BTF. */
bool btf_has_name(struct slice btf, const char *name);

#endif
