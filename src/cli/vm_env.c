// SPDX-License-Identifier: GPL-2.0-only
#include "cli/vm_env.h"

#include <errno.h>
#include <stdlib.h>

#include "util/parse.h"

#define SILENT_MS   30000u
#define SECONDS_MAX 86400u

int vm_env(struct vm_config *config, struct err *err)
{
	const struct {
		const char *name;
		unsigned *ms, def;
	} rows[] = {
		{ "KTSTR_BOOT_TIMEOUT", &config->boot_ms, VM_BOOT_MS },
		{ "KTSTR_SILENT_TIMEOUT", &config->silent_ms, SILENT_MS },
		{ "KTSTR_QEMU_TIMEOUT", &config->answer_ms, VM_ANSWER_MS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *text = getenv(rows[i].name);
		uint32_t seconds;

		*rows[i].ms = rows[i].def;
		if (!text || !*text)
			continue;
		if (parse_u32(slice_of(text), 1, SECONDS_MAX, &seconds) < 0)
			return err_set(err, -EINVAL, "%s is '%.32s', not seconds from 1 to %u",
				       rows[i].name, text, SECONDS_MAX);
		*rows[i].ms = seconds * 1000;
	}
	return 0;
}
