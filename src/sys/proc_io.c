// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/proc_io.h"

#include <errno.h>
#include <stddef.h>

#include "util/compiler.h"
#include "util/parse.h"

/* In the order of the kernel. */
static const struct {
	struct slice name;
	size_t offset;
} keys[] = {
#define IO_KEY(name) { SLICE_LIT(#name), offsetof(struct proc_io, name) },
#include "sys/proc_io.def"
#undef IO_KEY
};

static size_t find(struct slice key, size_t expected)
{
	if (expected < ARRAY_SIZE(keys) && slice_eq(key, keys[expected].name))
		return expected;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (slice_eq(key, keys[i].name))
			return i;
	return ARRAY_SIZE(keys);
}

int proc_io_parse(struct slice text, struct proc_io *ret)
{
	struct slice line, key, value;
	unsigned seen = 0, taken = 0;
	size_t next = 0;

	*ret = (struct proc_io){};
	while (slice_line(&text, &line)) {
		size_t i;

		if (!slice_split(line, ':', &key, &value))
			continue;
		i = find(key, next);
		if (i == ARRAY_SIZE(keys) || (seen >> i & 1))
			continue;
		seen |= 1u << i;
		taken += parse_u64(value, 0, UINT64_MAX,
				   (uint64_t *)((char *)ret + keys[i].offset)) == 0;
		next = i + 1;
	}
	return taken == ARRAY_SIZE(keys) ? 0 : -EBADMSG;
}
