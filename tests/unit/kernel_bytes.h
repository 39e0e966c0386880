/* SPDX-License-Identifier: GPL-2.0-only */
/* Images with a header and nothing to boot. */
#ifndef TESTS_KERNEL_BYTES_H
#define TESTS_KERNEL_BYTES_H

#include <stdint.h>
#include <string.h>

#include "util/slice.h"

#define IMAGE_BYTES 2048
#define WORDS_AT    0x400

#define SLICE_OF_IMAGE(bytes) ((struct slice){ (bytes), IMAGE_BYTES })

static inline void put_number(char *bytes, size_t at, size_t n, uint64_t v)
{
	for (size_t i = 0; i < n; i++)
		bytes[at + i] = (char)(v >> 8 * i);
}

static inline void make_x86_image(char bytes[IMAGE_BYTES], const char *words)
{
	memset(bytes, 0, IMAGE_BYTES);
	put_number(bytes, 0x1f1, 1, 3);
	put_number(bytes, 0x1fe, 2, 0xaa55);
	memcpy(bytes + 0x202, "HdrS", 4);
	put_number(bytes, 0x206, 2, 0x20f);
	put_number(bytes, 0x20e, 2, WORDS_AT - 0x200);
	put_number(bytes, 0x211, 1, 1);
	put_number(bytes, 0x260, 4, 0x1234000);
	memcpy(bytes + WORDS_AT, words, strlen(words));
}

static inline void make_arm64_image(char bytes[IMAGE_BYTES], const char *words)
{
	memset(bytes, 0, IMAGE_BYTES);
	put_number(bytes, 0x10, 8, 0x2000000);
	memcpy(bytes + 0x38, "ARM\x64", 4);
	memcpy(bytes + WORDS_AT, words, strlen(words));
}

#endif
