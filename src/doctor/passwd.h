/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of users and groups, from the files of the tree: no name service is asked. */
#ifndef DOCTOR_PASSWD_H
#define DOCTOR_PASSWD_H

#include <stdbool.h>
#include <stdint.h>

#include "util/root.h"
#include "util/strbuf.h"

bool user_name(const struct root *root, uint32_t uid, struct strbuf *ret);
bool group_name(const struct root *root, uint32_t gid, struct strbuf *ret);
bool group_exists(const struct root *root, const char *wanted);

#endif
