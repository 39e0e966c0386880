// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/options.h"

#include <string.h>

#include "util/cleanup.h"
#include "util/hash.h"

const struct kernel_option kernel_options[] = {
#define OPTION(name, value, need, lost) { #name, value, KERNEL_##need, lost },
#include "kernel/options.def"
#undef OPTION
};

const size_t kernel_options_n = ARRAY_SIZE(kernel_options);

static bool is_off(const struct kernel_option *option)
{
	return strcmp(option->value, "n") == 0;
}

void kernel_fragment(struct strbuf *out)
{
	for (size_t i = 0; i < kernel_options_n; i++) {
		const struct kernel_option *o = &kernel_options[i];

		if (is_off(o))
			strbuf_addf(out, "# CONFIG_%s is not set\n", o->name);
		else
			strbuf_addf(out, "CONFIG_%s=%s\n", o->name, o->value);
	}
}

uint64_t kernel_fragment_hash(void)
{
	_cleanup_(strbuf_done) struct strbuf lines = STRBUF_INIT;

	kernel_fragment(&lines);
	return hash_bytes(HASH_INIT, strbuf_slice(&lines));
}

/* The quotes of a string are not part of what kconfig keeps. */
static struct slice plain(const char *value)
{
	struct slice s = slice_of(value);

	return s.n >= 2 && s.s[0] == '"' ? (struct slice){ s.s + 1, s.n - 2 } : s;
}

bool kernel_option_met(const struct kernel_option *option, const struct kconfig *config)
{
	const struct kconfig_option *found = kconfig_find(config, option->name);

	switch (kconfig_state(config, option->name)) {
	case KCONFIG_UNKNOWN:
	case KCONFIG_MODULE:
		return false;
	case KCONFIG_UNSET:
	case KCONFIG_NO:
		return is_off(option);
	case KCONFIG_YES:
	case KCONFIG_VALUE:
		break;
	}
	return slice_eq(found->value, plain(option->value));
}

void kernel_option_found(const struct kernel_option *option, const struct kconfig *config,
			 struct strbuf *out)
{
	switch (kconfig_state(config, option->name)) {
	case KCONFIG_UNKNOWN:
		strbuf_addstr(out, "unknown");
		break;
	case KCONFIG_UNSET:
	case KCONFIG_NO:
		strbuf_addstr(out, "not set");
		break;
	case KCONFIG_MODULE:
	case KCONFIG_YES:
	case KCONFIG_VALUE:
		strbuf_addslice(out, kconfig_find(config, option->name)->value);
		break;
	}
}
