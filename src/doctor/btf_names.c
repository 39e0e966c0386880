// SPDX-License-Identifier: GPL-2.0-only
#include "doctor/btf_names.h"

#include <linux/btf.h>
#include <string.h>

bool btf_has_name(struct slice btf, const char *name)
{
	size_t n = strlen(name) + 1; /* with its terminator */
	struct btf_header head;
	struct slice strings;

	if (btf.n < sizeof(head))
		return false;
	memcpy(&head, btf.s, sizeof(head));
	if (head.magic != BTF_MAGIC || head.hdr_len > btf.n ||
	    head.str_off > btf.n - head.hdr_len ||
	    head.str_len > btf.n - head.hdr_len - head.str_off)
		return false;
	strings = (struct slice){ btf.s + head.hdr_len + head.str_off, head.str_len };
	/* The first string is empty, so a name always has a terminator before it. */
	while (strings.n > n) {
		const char *at = memmem(strings.s + 1, strings.n - 1, name, n);

		if (!at)
			return false;
		if (at[-1] == '\0')
			return true;
		strings.n -= (size_t)(at - strings.s);
		strings.s = at;
	}
	return false;
}
