// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "render/terminal.h"
#include "unit.h"

static void width_is_the_terminals_own_or_from_the_environment(void **state)
{
	static const struct {
		const char *label;
		struct terminal in;
		unsigned width, text;
	} cases[] = {
		{ "terminal tells",
		  { .tty = true, .columns = 132, .env_columns = "80" },
		  132,
		  132 },
		{ "COLUMNS helps", { .tty = true, .env_columns = "72" }, 72, 72 },
		{ "nobody knows", { .tty = true }, 0, 80 },
		{ "not a terminal", { .env_columns = "72" }, 0, 72 },
		{ "not a terminal, nobody knows", {}, 0, 80 },
		{ "not a terminal, COLUMNS is no number", { .env_columns = "80x" }, 0, 80 },
		{ "COLUMNS empty", { .tty = true, .env_columns = "" }, 0, 80 },
		{ "COLUMNS is no number", { .tty = true, .env_columns = "80x" }, 0, 80 },
		{ "COLUMNS zero", { .tty = true, .env_columns = "0" }, 0, 80 },
		{ "COLUMNS negative", { .tty = true, .env_columns = "-1" }, 0, 80 },
		{ "COLUMNS largest", { .tty = true, .env_columns = "65535" }, 65535, 65535 },
		{ "COLUMNS too large", { .tty = true, .env_columns = "65536" }, 0, 80 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		print_message("# %s\n", cases[i].label);
		assert_int_equal(terminal_width(&cases[i].in), cases[i].width);
		assert_int_equal(terminal_text_width(&cases[i].in), cases[i].text);
	}
}

static void colour_follows_option_then_environment_then_terminal(void **state)
{
	static const struct {
		const char *label;
		enum color_mode mode;
		struct terminal in;
		bool color;
	} cases[] = {
		{ "terminal", COLOR_MODE_AUTO, { .tty = true, .env_term = "xterm" }, true },
		{ "pipe", COLOR_MODE_AUTO, { .env_term = "xterm" }, false },
		{ "dumb", COLOR_MODE_AUTO, { .tty = true, .env_term = "dumb" }, false },
		{ "no TERM", COLOR_MODE_AUTO, { .tty = true }, false },
		{ "NO_COLOR",
		  COLOR_MODE_AUTO,
		  { .tty = true, .env_term = "xterm", .env_no_color = "1" },
		  false },
		{ "NO_COLOR empty",
		  COLOR_MODE_AUTO,
		  { .tty = true, .env_term = "xterm", .env_no_color = "" },
		  true },
		{ "always, pipe", COLOR_MODE_ALWAYS, {}, true },
		{ "always beats NO_COLOR", COLOR_MODE_ALWAYS, { .env_no_color = "1" }, true },
		{ "never", COLOR_MODE_NEVER, { .tty = true, .env_term = "xterm" }, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		print_message("# %s\n", cases[i].label);
		assert_int_equal(terminal_color(&cases[i].in, cases[i].mode), cases[i].color);
	}
}

static void a_pseudo_terminal_tells_its_size(void **state)
{
	const struct winsize size = { .ws_row = 24, .ws_col = 117 };
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	struct terminal t;
	int fd;

	(void)state;
	if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0)
		skip();
	fd = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(ioctl(fd, TIOCSWINSZ, &size), 0);
	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	terminal_probe(&t, fd);
	assert_true(t.tty);
	assert_int_equal(terminal_width(&t), 117);
	assert_true(terminal_color(&t, COLOR_MODE_AUTO));
	close(fd);
	close(master);
}

static void a_pipe_is_unlimited_and_plain(void **state)
{
	struct terminal t;
	int fds[2];

	(void)state;
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	setenv("COLUMNS", "80", 1);
	terminal_probe(&t, fds[1]);
	unsetenv("COLUMNS");
	assert_int_equal(terminal_width(&t), 0);
	assert_false(terminal_color(&t, COLOR_MODE_AUTO));
	close(fds[0]);
	close(fds[1]);
}

static void names_stand_at_their_values(void **state)
{
	(void)state;
	assert_string_equal(color_mode_names[COLOR_MODE_AUTO], "auto");
	assert_string_equal(color_mode_names[COLOR_MODE_ALWAYS], "always");
	assert_string_equal(color_mode_names[COLOR_MODE_NEVER], "never");
	assert_null(color_mode_names[COLOR_MODE_COUNT]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(width_is_the_terminals_own_or_from_the_environment),
		cmocka_unit_test(colour_follows_option_then_environment_then_terminal),
		cmocka_unit_test(a_pseudo_terminal_tells_its_size),
		cmocka_unit_test(a_pipe_is_unlimited_and_plain),
		cmocka_unit_test(names_stand_at_their_values),
	};

	return cmocka_run_group_tests_name("render_terminal", tests, NULL, NULL);
}
