/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The DEFLATE bit stream of RFC 1951, without any container around it. */
#ifndef UTIL_INFLATE_H
#define UTIL_INFLATE_H

#include <stddef.h>

#include "util/compiler.h"
#include "util/slice.h"
#include "util/strbuf.h"

/* Appends the content of the stream at the front of @in to @out and tells how many bytes of @in the
 * stream took. References never reach before what @out held at the call. 0; -EFBIG when @out would
 * grow past @cap bytes; -EBADMSG for a stream that is damaged or cut. After a failure @out holds
 * what was decoded so far. */
_must_check_ int inflate_raw(struct slice in, size_t cap, struct strbuf *out, size_t *ret_used);

#endif
