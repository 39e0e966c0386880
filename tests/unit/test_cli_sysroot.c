// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/exit.h"
#include "cli/sysroot.h"
#include "util/cleanup.h"
#include "util/log.h"

/* Opens @dir and looks at some paths; what was said on stderr, to be freed. */
static char *said(enum log_level level, const char *dir, int *ret_code)
{
	char *text = calloc(1, 1024);
	FILE *file = tmpfile();
	int kept = dup(STDERR_FILENO);
	struct root root = ROOT_INIT;
	_cleanup_(strbuf_done) struct strbuf value = STRBUF_INIT;

	assert_true(text && file && kept >= 0);
	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	log_set_level(level);
	*ret_code = sysroot_open(&root, dir);
	if (*ret_code == EXIT_OK) {
		root_exists(&root, "dev");
		root_exists(&root, "not/there");
		assert_int_equal(root_read_text(&root, "dev", &value), -EISDIR);
		root_close(&root);
	}
	fflush(stderr);
	dup2(kept, STDERR_FILENO);
	close(kept);
	rewind(file);
	assert_true(fread(text, 1, 1023, file) < 1023);
	fclose(file);
	return text;
}

static void each_path_looked_up_is_told_at_level_debug_only(void **state)
{
	static const struct {
		const char *what, *dir;
		enum log_level level;
		int code;
		const char *want;
	} rows[] = {
		{ "debug", "/", LOG_LEVEL_DEBUG, EXIT_OK,
		  "ktstr: debug: read 'dev'\nktstr: debug: missing 'not/there'\n"
		  "ktstr: debug: cannot read 'dev': Is a directory\n" },
		{ "info", "/", LOG_LEVEL_INFO, EXIT_OK, "" },
		{ "no such directory", "/not/there", LOG_LEVEL_INFO, EXIT_TROUBLE,
		  "ktstr: error: cannot open '/not/there': No such file or directory\n" },
		{ "a file", "/dev/null", LOG_LEVEL_INFO, EXIT_TROUBLE,
		  "ktstr: error: cannot open '/dev/null': Not a directory\n" },
		{ "nothing", "", LOG_LEVEL_INFO, EXIT_TROUBLE,
		  "ktstr: error: cannot open '': No such file or directory\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int code;
		_cleanup_free_ char *text = said(rows[i].level, rows[i].dir, &code);

		if (strcmp(text, rows[i].want) != 0 || code != rows[i].code)
			fail_msg("%s: %d, '%s'", rows[i].what, code, text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_path_looked_up_is_told_at_level_debug_only),
	};

	return cmocka_run_group_tests_name("sysroot", tests, NULL, NULL);
}
