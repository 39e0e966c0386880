// SPDX-License-Identifier: GPL-2.0-only
#include "cli/sysroot.h"

#include <string.h>

#include "cli/exit.h"
#include "util/log.h"

static void tell(void *ctx, const char *path, int outcome)
{
	(void)ctx;
	if (outcome > 0)
		log_debug("read '%s'", path);
	else if (outcome == 0)
		log_debug("missing '%s'", path);
	else
		log_debug("cannot read '%s': %s", path, strerror(-outcome));
}

int sysroot_open(struct root *root, const char *dir)
{
	struct err err;

	if (root_open(root, dir, &err) < 0) {
		log_error("%s", err.text);
		return EXIT_TROUBLE;
	}
	if (log_enabled(LOG_LEVEL_DEBUG))
		root->seen = tell;
	return EXIT_OK;
}
