/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Failures that a person reads. Functions return 0 or -errno; where the reason needs words they
 * also take a `struct err *` owned by the caller, which may be NULL. Nothing is allocated, so this
 * serves PID 1 and forked children too.
 */
#ifndef UTIL_ERR_H
#define UTIL_ERR_H

#include "util/compiler.h"

struct err {
	char text[512];
};

/* Stores the message and returns @code, so that a failure is one line:
 * return err_set(err, -EINVAL, "..."). Overlong text is cut. */
int err_set(struct err *err, int code, const char *fmt, ...) _printf_(3, 4);

/* Puts "CONTEXT: " before what is there already; returns @code. */
int err_prefix(struct err *err, int code, const char *fmt, ...) _printf_(3, 4);

#endif
