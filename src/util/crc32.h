/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The checksum of gzip, zip and our frames: polynomial 0x04c11db7, reflected. */
#ifndef UTIL_CRC32_H
#define UTIL_CRC32_H

#include <stdint.h>

#include "util/slice.h"

/* Safe in a signal handler. */
uint32_t crc32_of(struct slice bytes);

#endif
