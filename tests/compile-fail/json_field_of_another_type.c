// expect: not compatible with any (generic )?association
// SPDX-License-Identifier: GPL-2.0-only
#include "json/schema.h"

struct thread {
	uint64_t run_time_ns;
};

extern const struct json_field field;

#ifdef WRONG
const struct json_field field = JSON_FIELD(U32, struct thread, run_time_ns);
#else
const struct json_field field = JSON_FIELD(U64, struct thread, run_time_ns);
#endif
