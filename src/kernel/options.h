/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of the kernels we build, and what other kernels lack of them. */
#ifndef KERNEL_OPTIONS_H
#define KERNEL_OPTIONS_H

#include <stdint.h>

#include "sys/kconfig.h"
#include "util/strbuf.h"

enum kernel_need {
	KERNEL_REQUIRED, /* a build without it is refused */
	KERNEL_FEATURE,  /* something ktstr offers does not work without it */
	KERNEL_OURS,     /* no matter to kernels of others */
};

struct kernel_option {
	const char *name;  /* without CONFIG_ */
	const char *value; /* as in a configuration: y, n, a number, a string with its quotes */
	enum kernel_need need;
	const char *lost; /* without it */
};

extern const struct kernel_option kernel_options[];
extern const size_t kernel_options_n;

/* Appends the options as lines of a configuration. */
void kernel_fragment(struct strbuf *out);

/* Changes whenever the lines do. */
uint64_t kernel_fragment_hash(void);

/* Whether the configuration has the option with that value; unknown is no. */
bool kernel_option_met(const struct kernel_option *option, const struct kconfig *config);

/* Appends what the configuration has in its place, for people: "y", "m", "not set". */
void kernel_option_found(const struct kernel_option *option, const struct kconfig *config,
			 struct strbuf *out);

#endif
