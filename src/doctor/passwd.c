// SPDX-License-Identifier: GPL-2.0-only
#include "doctor/passwd.h"

#include "util/cleanup.h"
#include "util/parse.h"

/* NAME:PASSWORD:ID:... in both files. The next line of that kind. */
static bool next_entry(struct slice *rest, struct slice *ret_name, uint32_t *ret_id)
{
	struct slice line, field;

	while (slice_cut(rest, '\n', &line))
		if (slice_cut(&line, ':', ret_name) && slice_cut(&line, ':', &field) &&
		    slice_cut(&line, ':', &field) && parse_u32(field, 0, UINT32_MAX, ret_id) == 0)
			return true;
	return false;
}

static bool find_name(const struct root *root, const char *path, uint32_t id, struct strbuf *ret)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct slice rest, name;
	uint32_t value;

	if (root_read(root, path, ROOT_CAP_FILE, &text) <= 0)
		return false;
	rest = strbuf_slice(&text);
	while (next_entry(&rest, &name, &value)) {
		if (value != id)
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

bool group_exists(const struct root *root, const char *wanted)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct slice rest, name;
	uint32_t id;

	if (root_read(root, "etc/group", ROOT_CAP_FILE, &text) <= 0)
		return false;
	rest = strbuf_slice(&text);
	while (next_entry(&rest, &name, &id))
		if (slice_is(name, wanted))
			return true;
	return false;
}
