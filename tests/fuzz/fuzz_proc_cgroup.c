// SPDX-License-Identifier: GPL-2.0-only
/* A path lies on one line of the text, and a usable one stays below the folder it is put behind. */
#include <stdint.h>
#include <stdlib.h>

#include "sys/proc_cgroup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_usable(struct slice path)
{
	struct slice part;

	if (!path.n || path.s[0] != '/' || memchr(path.s, '\0', path.n))
		abort();
	while (slice_cut(&path, '/', &part))
		if (slice_is(part, "..") || slice_is(part, "."))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice text = { (const char *)data, size }, path;

	if (cgroup_path_kind(text) == CGROUP_PATH_USABLE)
		check_usable(text);
	if (!proc_cgroup_path(text, &path))
		return 0;
	if (!path.n || path.s < text.s + 3 || path.s + path.n >= text.s + text.n ||
	    path.s[path.n] != '\n' || memchr(path.s, '\n', path.n))
		abort();
	if (cgroup_path_kind(path) == CGROUP_PATH_USABLE)
		check_usable(path);
	return 0;
}
