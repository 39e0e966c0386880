// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a fuzz target once over every file of the folders named on the command line, so that each
 * corpus is also a plain test. With libFuzzer this file is left out.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/cleanup.h"
#include "util/root.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_folder(const char *dir)
{
	_cleanup_(root_close) struct root root = ROOT_INIT;
	_cleanup_(strv_done) struct strv names = STRV_INIT;
	struct err err;
	int ran = 0;

	if (root_open(&root, dir, &err) < 0 || root_list(&root, ".", &names) <= 0)
		return 0;
	for (size_t i = 0; i < names.n; i++) {
		_cleanup_(strbuf_done) struct strbuf data = STRBUF_INIT;
		_cleanup_free_ uint8_t *exact = NULL;

		if (root_read(&root, names.v[i], ROOT_CAP_FILE, &data) <= 0)
			continue;
		/* A block of exactly this size lets ASan see one byte too many. */
		exact = malloc(data.len ? data.len : 1);
		if (!exact)
			return 0;
		memcpy(exact, data.s, data.len);
		LLVMFuzzerTestOneInput(exact, data.len);
		ran++;
	}
	return ran;
}

int main(int argc, char **argv)
{
	int ran = 0;

	for (int i = 1; i < argc; i++)
		ran += run_folder(argv[i]);
	printf("%d inputs\n", ran);
	return ran > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
