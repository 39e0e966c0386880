/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Whole-string numbers: digits only (one leading '-' where the type has a sign), nothing before or
 * behind. 0, -EINVAL for anything else than digits, -ERANGE outside [min, max]. Results are written
 * on success only.
 */
#ifndef UTIL_PARSE_H
#define UTIL_PARSE_H

#include <stdint.h>

#include "util/compiler.h"
#include "util/slice.h"

_must_check_ int parse_u64(struct slice s, uint64_t min, uint64_t max, uint64_t *ret);
_must_check_ int parse_i64(struct slice s, int64_t min, int64_t max, int64_t *ret);
_must_check_ int parse_u32(struct slice s, uint32_t min, uint32_t max, uint32_t *ret);
_must_check_ int parse_i32(struct slice s, int32_t min, int32_t max, int32_t *ret);

#endif
