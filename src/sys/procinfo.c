// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/procinfo.h"

#include <errno.h>

#include "util/parse.h"

static int kb_value(struct slice value, uint64_t *ret)
{
	struct slice number, unit;
	uint64_t v;
	int r;

	if (!slice_word(&value, &number))
		return -EINVAL;
	r = parse_u64(number, 0, UINT64_MAX, &v);
	if (r < 0)
		return r;
	if (slice_word(&value, &unit) && (!slice_is(unit, "kB") || slice_trim(value).n > 0))
		return -EINVAL;
	*ret = v;
	return 1;
}

/* "Node 0 MemTotal" without its first two words. */
static struct slice without_node(struct slice name)
{
	struct slice skipped;

	if (slice_starts(name, "Node "))
		for (int words = 0; words < 2; words++)
			(void)slice_word(&name, &skipped);
	return slice_trim(name);
}

int meminfo_u64(struct slice text, const char *key, uint64_t *ret)
{
	struct slice line, name, value;

	while (slice_cut(&text, '\n', &line))
		if (slice_split(line, ':', &name, &value) && slice_is(without_node(name), key))
			return kb_value(value, ret);
	return 0;
}

int cpuinfo_text(struct slice text, const char *key, struct slice *ret)
{
	struct slice line, name, value;

	while (slice_cut(&text, '\n', &line) && slice_trim(line).n > 0) {
		if (!slice_split(line, ':', &name, &value) || !slice_is(name, key))
			continue;
		if (memchr(value.s, '\0', value.n))
			return -EBADMSG;
		if (value.n == 0)
			return 0;
		*ret = value;
		return 1;
	}
	return 0;
}

int cache_size_kb(struct slice text, uint64_t *ret)
{
	uint64_t factor = 1, v;
	int r;

	if (text.n == 0)
		return -EINVAL;
	switch (text.s[text.n - 1]) {
	case 'K':
		break;
	case 'M':
		factor = 1024;
		break;
	case 'G':
		factor = 1024 * 1024;
		break;
	default:
		return -EINVAL;
	}
	r = parse_u64((struct slice){ text.s, text.n - 1 }, 0, UINT64_MAX / factor, &v);
	if (r < 0)
		return r;
	*ret = v * factor;
	return 0;
}
