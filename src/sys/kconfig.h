/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How the observed kernel was configured. When no configuration can be found every option is
 * unknown, which is not the same as switched off.
 */
#ifndef SYS_KCONFIG_H
#define SYS_KCONFIG_H

#include <stddef.h>

#include "util/compiler.h"
#include "util/root.h"
#include "util/slice.h"
#include "util/strbuf.h"
#include "util/vec.h"

enum kconfig_state {
	KCONFIG_UNKNOWN, /* no configuration */
	KCONFIG_UNSET,   /* not mentioned: does not exist here, or its dependencies are off */
	KCONFIG_NO,
	KCONFIG_MODULE,
	KCONFIG_YES,
	KCONFIG_VALUE, /* a number or a string */
};

struct kconfig_option {
	struct slice name;  /* without CONFIG_ */
	struct slice value; /* quotes of a string removed, escapes kept; "" for KCONFIG_NO */
	enum kconfig_state state;
};

struct kconfig {
	struct strbuf text;
	VEC(struct kconfig_option) options; /* by name */
	struct strbuf source;               /* path below the root; "" without configuration */
};

#define KCONFIG_INIT                                                                               \
	{                                                                                          \
		.text = STRBUF_INIT, .source = STRBUF_INIT                                         \
	}

void kconfig_done(struct kconfig *config);

/* Looks into /proc/config.gz, then into the files distributions install for the running release.
 * 1; 0 when there is none; -errno of the first one that is there but unusable, when no other is. */
_must_check_ int kconfig_read(const struct root *root, struct kconfig *config);

/* Replaces what @config holds by the options in @text; lines that are none are passed over, the
 * last of several lines for an option counts. */
void kconfig_parse(struct kconfig *config, struct slice text);

/* @name without CONFIG_. NULL when unknown or unset. */
const struct kconfig_option *kconfig_find(const struct kconfig *config, const char *name);

enum kconfig_state kconfig_state(const struct kconfig *config, const char *name);

#endif
