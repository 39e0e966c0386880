// SPDX-License-Identifier: GPL-2.0-only
/* What is told of a key is told once, and the front of a file tells nothing the whole does not. */
#include <stdint.h>
#include <stdlib.h>

#include "sys/proc_sched.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t value(const struct proc_sched *s, enum sched_key key)
{
	switch (key) {
#define SCHED_KEY(name, ...)                                                                       \
	case SCHED_KEY_##name:                                                                     \
		return s->name;
#include "sys/proc_sched.def"
#undef SCHED_KEY
	case SCHED_KEY_COUNT:
		break;
	}
	abort();
}

static void check(const struct proc_sched *s)
{
	if ((s->has & s->malformed) || (s->has | s->malformed) >> SCHED_KEY_COUNT)
		abort();
	if (s->negative > (unsigned)__builtin_popcountll(s->malformed))
		abort();
	if (s->ext_enabled && !s->has_ext)
		abort();
	for (enum sched_key key = 0; key < SCHED_KEY_COUNT; key++)
		if (!proc_sched_has(s, key) && value(s, key))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct proc_sched whole, front;

	proc_sched_parse((struct slice){ (const char *)data, size }, &whole);
	check(&whole);
	for (unsigned eighths = 1; eighths < 8; eighths++) {
		proc_sched_parse((struct slice){ (const char *)data, size * eighths / 8 }, &front);
		check(&front);
		for (enum sched_key key = 0; key < SCHED_KEY_COUNT; key++)
			if (proc_sched_has(&front, key) &&
			    (!proc_sched_has(&whole, key) ||
			     value(&front, key) != value(&whole, key)))
				abort();
		if (front.has_ext && (!whole.has_ext || front.ext_enabled != whole.ext_enabled))
			abort();
	}
	return 0;
}
