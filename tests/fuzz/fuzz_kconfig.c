// SPDX-License-Identifier: GPL-2.0-only
/* Every option that was listed is found again by its name. */
#include <stdint.h>
#include <stdlib.h>

#include "sys/kconfig.h"
#include "util/cleanup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(kconfig_done) struct kconfig config = KCONFIG_INIT;

	kconfig_parse(&config, (struct slice){ (const char *)data, size });
	for (size_t i = 0; i < config.options.n; i++) {
		struct slice name = config.options.v[i].name;
		_cleanup_free_ char *text = xstrndup(name.s, name.n);

		if (strlen(text) == name.n && kconfig_find(&config, text) != &config.options.v[i])
			abort();
	}
	return 0;
}
