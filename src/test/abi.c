// SPDX-License-Identifier: LGPL-2.1-or-later
#include <ktstr/ktstr.h>

#include "config.h"

/* Elf32_Nhdr, name, descriptor: lets `ktstr test` refuse a foreign or outdated program by reading
 * its file, without running it. */
struct abi_note {
	uint32_t name_size;
	uint32_t desc_size;
	uint32_t type;
	char name[8];
	uint32_t abi;
};

_Static_assert(sizeof(struct abi_note) == 24, "the note has no padding");

__attribute__((section(".note.ktstr"), used, retain,
	       aligned(4))) static const struct abi_note note = {
	.name_size = sizeof("ktstr"),
	.desc_size = sizeof(uint32_t),
	.type = 1,
	.name = "ktstr",
	.abi = KTSTR_ABI,
};

uint32_t ktstr_abi(void)
{
	return note.abi;
}

const char *ktstr_version(void)
{
	return KTSTR_VERSION;
}
