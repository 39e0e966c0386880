/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decompression of gzip data (RFC 1951, 1952), by hand because libktstr links libc only. Made for
 * small trusted-enough files such as /proc/config.gz: plain rather than fast, but safe on any
 * input.
 */
#ifndef UTIL_GUNZIP_H
#define UTIL_GUNZIP_H

#include <stddef.h>

#include "util/compiler.h"
#include "util/slice.h"
#include "util/strbuf.h"

/* Replaces what @out holds by the content of @gz: one or more members, zero bytes may follow the
 * last one. 0; -EFBIG when the content is longer than @cap; -EBADMSG when the data is damaged, cut
 * or not gzip (checksums and lengths are verified). @out is empty after a failure. */
_must_check_ int gunzip(struct slice gz, size_t cap, struct strbuf *out);

#endif
