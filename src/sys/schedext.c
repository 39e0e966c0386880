// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/schedext.h"

#include <errno.h>
#include <string.h>

#include "util/cleanup.h"

#define DIR_PATH "sys/kernel/sched_ext"

static enum absence read_state(const struct root *root, struct schedext *ret)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	int r = root_read_text(root, DIR_PATH "/state", &text);

	if (r > 0 && text.len >= sizeof(ret->state))
		r = -ERANGE;
	if (r > 0)
		memcpy(ret->state, text.s, text.len + 1);
	return absence_of(r);
}

void schedext_read(const struct root *root, struct schedext *ret)
{
	*ret = (struct schedext){};
	if (!root_exists(root, DIR_PATH)) {
		ret->absence = ABSENCE_UNSUPPORTED;
		ret->absent.state = ABSENCE_UNSUPPORTED;
#define SCHEDEXT(name) ret->absent.name = ABSENCE_UNSUPPORTED;
#include "sys/schedext.def"
#undef SCHEDEXT
		return;
	}
	ret->absent.state = read_state(root, ret);
#define SCHEDEXT(name)                                                                             \
	ret->absent.name = absence_of(root_read_u64(root, DIR_PATH "/" #name, &ret->name));
#include "sys/schedext.def"
#undef SCHEDEXT
}
