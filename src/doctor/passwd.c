// SPDX-License-Identifier: GPL-2.0-only
#include "doctor/passwd.h"

#include "util/cleanup.h"
#include "util/parse.h"

/* NAME:PASSWORD:ID:... in both files. */
static bool find_name(const struct root *root, const char *path, uint32_t id, struct strbuf *ret)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct slice rest, line, name, field;
	uint32_t value;

	if (root_read(root, path, ROOT_CAP_FILE, &text) <= 0)
		return false;
	rest = strbuf_slice(&text);
	while (slice_cut(&rest, '\n', &line)) {
		if (!slice_cut(&line, ':', &name) || !slice_cut(&line, ':', &field) ||
		    !slice_cut(&line, ':', &field) || parse_u32(field, 0, UINT32_MAX, &value) < 0 ||
		    value != id)
			continue;
		strbuf_reset(ret);
		strbuf_addslice(ret, name);
		return true;
	}
	return false;
}

bool user_name(const struct root *root, uint32_t uid, struct strbuf *ret)
{
	return find_name(root, "etc/passwd", uid, ret);
}

bool group_name(const struct root *root, uint32_t gid, struct strbuf *ret)
{
	return find_name(root, "etc/group", gid, ret);
}
