// SPDX-License-Identifier: GPL-2.0-only
/* Fields lie inside the text, and a path never grows when its escapes are resolved. */
#include <stdint.h>
#include <stdlib.h>

#include "sys/mountinfo.h"
#include "util/cleanup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice text = { (const char *)data, size }, rest = text;
	struct mount mount;

	while (mountinfo_next(&rest, &mount)) {
		_cleanup_(strbuf_done) struct strbuf point = STRBUF_INIT;

		mountinfo_unescape(mount.point, &point);
		if (point.len > mount.point.n || mount.point.s < text.s ||
		    mount.super_options.s + mount.super_options.n > text.s + text.n)
			abort();
		mountinfo_has_option(mount.super_options, "cpu");
	}
	return 0;
}
