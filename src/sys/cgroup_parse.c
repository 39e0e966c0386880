// SPDX-License-Identifier: LGPL-2.1-or-later
/* What the files of a cgroup say, apart from reading them. */
#include <errno.h>

#include "sys/cgroup_stats.h"
#include "util/parse.h"

static const struct cgroup_number malformed = { .absent = ABSENCE_ERROR };

void cgroup_parse_count(struct slice text, struct cgroup_number *ret)
{
	uint64_t v;
	int r = parse_u64(slice_trim(text), 0, UINT64_MAX, &v);

	*ret = r < 0 ? malformed : (struct cgroup_number){ .v = v };
}

void cgroup_parse_limit(struct slice text, struct cgroup_number *ret)
{
	if (slice_is(slice_trim(text), "max"))
		*ret = (struct cgroup_number){ .unlimited = true };
	else
		cgroup_parse_count(text, ret);
}

void cgroup_parse_floor(struct slice text, struct cgroup_number *ret)
{
	if (slice_is(slice_trim(text), "max"))
		*ret = (struct cgroup_number){ .v = UINT64_MAX };
	else
		cgroup_parse_count(text, ret);
}

void cgroup_parse_cpu_max(struct slice text, struct cgroup_number *ret_quota,
			  struct cgroup_number *ret_period)
{
	struct slice word;

	*ret_quota = *ret_period = malformed;
	if (slice_word(&text, &word))
		cgroup_parse_limit(word, ret_quota);
	if (slice_word(&text, &word))
		cgroup_parse_count(word, ret_period);
	if (ret_period->absent)
		ret_period->v = CGROUP_PERIOD_DEFAULT;
}

int cgroup_parse_key(struct slice text, const char *key, uint64_t *ret)
{
	struct slice line, word;

	while (slice_line(&text, &line)) {
		if (!slice_word(&line, &word) || !slice_is(word, key))
			continue;
		return parse_u64(slice_trim(line), 0, UINT64_MAX, ret) < 0 ? -EBADMSG : 1;
	}
	return slice_word(&text, &word) && slice_is(word, key) ? -EBADMSG : 0;
}
