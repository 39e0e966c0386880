// SPDX-License-Identifier: GPL-2.0-only
/* An author's program may choose a locale whose decimal point is a comma. */
#include "unit.h"

#include <locale.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/units.h"
#include "json/reader.h"
#include "json/writer.h"

extern char **environ;

static char top[] = "/tmp/ktstr-locale-XXXXXX";

static int run(const char *const argv[])
{
	int status;
	pid_t pid;

	if (posix_spawnp(&pid, argv[0], NULL, NULL, (char *const *)argv, environ) != 0 ||
	    waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int choose_comma(void **state)
{
	char path[sizeof(top) + 32];

	(void)state;
	assert_non_null(mkdtemp(top));
	snprintf(path, sizeof(path), "%s/de_DE.UTF-8", top);
	assert_int_equal(
		run((const char *[]){ "localedef", "-i", "de_DE", "-f", "UTF-8", path, NULL }), 0);
	setenv("LOCPATH", top, 1);
	assert_non_null(setlocale(LC_ALL, "de_DE.UTF-8"));
	assert_string_equal(localeconv()->decimal_point, ",");
	return 0;
}

static int remove_locale(void **state)
{
	(void)state;
	return run((const char *[]){ "rm", "-r", top, NULL });
}

static void texts_keep_their_point(void **state)
{
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;

	(void)state;
	units_u64(&out, LADDER_NS, 1500);
	assert_string_equal(out.s, "1.500µs");
	assert_string_equal(localeconv()->decimal_point, ",");
}

static void json_keeps_its_point_both_ways(void **state)
{
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
	struct json_reader r;
	struct json_writer w;
	struct err err;
	double v;

	(void)state;
	json_writer_init(&w, json_sink_strbuf, &out, JSON_COMPACT);
	json_double(&w, 1.5);
	assert_int_equal(json_writer_finish(&w), 0);
	assert_string_equal(out.s, "1.5");
	json_reader_init_slice(&r, strbuf_slice(&out), NULL, &err);
	assert_int_equal(json_read_double(&r, &v), 0);
	assert_true(v == 1.5);
	json_reader_done(&r);
	assert_string_equal(localeconv()->decimal_point, ",");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_keep_their_point),
		cmocka_unit_test(json_keeps_its_point_both_ways),
	};

	return cmocka_run_group_tests_name("locale", tests, choose_comma, remove_locale);
}
