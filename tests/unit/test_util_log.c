// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/log.h"

/* What @act writes to stderr; to be freed. */
static char *stderr_of(void (*act)(void))
{
	FILE *file = tmpfile();
	int kept = dup(STDERR_FILENO);
	char *text = calloc(1, 4096);

	assert_true(file && kept >= 0 && text);
	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	act();
	fflush(stderr);
	dup2(kept, STDERR_FILENO);
	close(kept);
	rewind(file);
	assert_true(fread(text, 1, 4095, file) < 4095);
	fclose(file);
	return text;
}

static void say_all(void)
{
	log_error("e");
	log_warn("w");
	log_info("i");
	log_debug("d");
}

static void say_name(void)
{
	log_warn("cannot read '%s'", "a\033[2Jb\nc");
}

static void the_level_decides_what_is_said(void **state)
{
	static const struct {
		const char *level;
		const char *want;
	} rows[] = {
		{ "error", "ktstr: error: e\n" },
		{ "warn", "ktstr: error: e\nktstr: warn: w\n" },
		{ "info", "ktstr: error: e\nktstr: warn: w\nktstr: i\n" },
		{ "debug", "ktstr: error: e\nktstr: warn: w\nktstr: i\nktstr: debug: d\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *text = NULL;
		enum log_level level;

		assert_int_equal(log_level_parse(rows[i].level, &level), 0);
		log_set_level(level);
		text = stderr_of(say_all);
		assert_string_equal(text, rows[i].want);
	}
}

static void unknown_levels_are_refused(void **state)
{
	enum log_level level = LOG_LEVEL_WARN;

	(void)state;
	assert_int_equal(log_level_parse("loud", &level), -EINVAL);
	assert_int_equal(log_level_parse("", &level), -EINVAL);
	assert_int_equal(level, LOG_LEVEL_WARN);
}

static void names_in_messages_cannot_act_on_the_terminal(void **state)
{
	_cleanup_free_ char *text = stderr_of(say_name);

	(void)state;
	assert_string_equal(text, "ktstr: warn: cannot read 'a\\x1b[2Jb\\nc'\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_level_decides_what_is_said),
		cmocka_unit_test(unknown_levels_are_refused),
		cmocka_unit_test(names_in_messages_cannot_act_on_the_terminal),
	};

	return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
