// SPDX-License-Identifier: GPL-2.0-only
#include "cli/sysroot.h"

#include "cli/exit.h"
#include "util/log.h"

static void tell(void *ctx, const char *path, int outcome)
{
	(void)ctx;
	(void)outcome;
	log_debug("read '%s'", path);
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
