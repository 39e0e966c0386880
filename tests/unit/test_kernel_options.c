// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/options.h"

#include <string.h>

#include "unit.h"
#include "util/cleanup.h"

static const struct kernel_option *find(const char *name)
{
	const struct kernel_option *found = NULL;

	for (size_t i = 0; i < kernel_options_n; i++)
		if (strcmp(kernel_options[i].name, name) == 0) {
			assert_null(found); /* each stands there once */
			found = &kernel_options[i];
		}
	return found;
}

static void every_option_stands_once_and_tells_what_is_lost(void **state)
{
	(void)state;
	for (size_t i = 0; i < kernel_options_n; i++) {
		const struct kernel_option *o = &kernel_options[i];

		assert_ptr_equal(find(o->name), o);
		assert_true(strlen(o->lost) > 5);
		assert_true(*o->value);
	}
}

/* Kconfig drops them silently: those a build is refused for. */
static void what_tests_of_schedulers_rest_on_is_required(void **state)
{
	static const char *const names[] = { "SCHED_CLASS_EXT", "DEBUG_INFO_BTF", "BPF_SYSCALL",
					     "FTRACE",          "KPROBE_EVENTS",  "BPF_EVENTS" };
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		assert_non_null(find(names[i]));
		assert_int_equal(find(names[i])->need, KERNEL_REQUIRED);
	}
	for (size_t i = 0; i < kernel_options_n; i++)
		n += kernel_options[i].need == KERNEL_REQUIRED;
	assert_int_equal(n, ARRAY_SIZE(names));
}

static void the_fragment_is_a_configuration_that_has_every_option(void **state)
{
	_cleanup_(kconfig_done) struct kconfig config = KCONFIG_INIT;
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

	(void)state;
	kernel_fragment(&text);
	kconfig_parse(&config, strbuf_slice(&text));
	assert_int_equal(config.options.n, kernel_options_n);
	for (size_t i = 0; i < kernel_options_n; i++) {
		print_message("# %s\n", kernel_options[i].name);
		assert_true(kernel_option_met(&kernel_options[i], &config));
	}
	assert_non_null(strstr(text.s, "\n# CONFIG_JUMP_LABEL is not set\n"));
	assert_non_null(strstr(text.s, "\nCONFIG_LOCALVERSION=\"-ktstr\"\n"));
}

static void an_option_has_to_have_its_value(void **state)
{
	static const struct {
		const char *label, *value, *config;
		bool met;
		const char *found;
	} rows[] = {
		{ "on", "y", "CONFIG_A=y\n", true, "y" },
		{ "a module", "y", "CONFIG_A=m\n", false, "m" },
		{ "off", "y", "# CONFIG_A is not set\n", false, "not set" },
		{ "unheard of", "y", "CONFIG_B=y\n", false, "not set" },
		{ "wanted off", "n", "# CONFIG_A is not set\n", true, "not set" },
		{ "wanted off, unheard of", "n", "CONFIG_B=y\n", true, "not set" },
		{ "wanted off, on", "n", "CONFIG_A=y\n", false, "y" },
		{ "wanted off, a module", "n", "CONFIG_A=m\n", false, "m" },
		{ "number", "256", "CONFIG_A=256\n", true, "256" },
		{ "another number", "256", "CONFIG_A=64\n", false, "64" },
		{ "text", "\"-x\"", "CONFIG_A=\"-x\"\n", true, "-x" },
		{ "another text", "\"-x\"", "CONFIG_A=\"\"\n", false, "" },
		{ "no configuration", "y", "", false, "unknown" },
		{ "no configuration, wanted off", "n", "", false, "unknown" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct kernel_option option = { "A", rows[i].value, KERNEL_FEATURE, "" };
		_cleanup_(kconfig_done) struct kconfig config = KCONFIG_INIT;
		_cleanup_(strbuf_done) struct strbuf found = STRBUF_INIT;

		print_message("# %s\n", rows[i].label);
		kconfig_parse(&config, slice_of(rows[i].config));
		assert_int_equal(kernel_option_met(&option, &config), rows[i].met);
		kernel_option_found(&option, &config, &found);
		assert_string_equal(found.s, rows[i].found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_option_stands_once_and_tells_what_is_lost),
		cmocka_unit_test(what_tests_of_schedulers_rest_on_is_required),
		cmocka_unit_test(the_fragment_is_a_configuration_that_has_every_option),
		cmocka_unit_test(an_option_has_to_have_its_value),
	};

	return cmocka_run_group_tests_name("kernel_options", tests, NULL, NULL);
}
