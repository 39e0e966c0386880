// expect: field name too long
// SPDX-License-Identifier: GPL-2.0-only
#include "json/schema.h"

struct thread {
	uint64_t v;
};

extern const struct json_field field;

#ifdef WRONG
#define NAME "a_name_of_forty_four_bytes_does_not_fit_here"
#else
#define NAME "a_name_of_forty_three_bytes_just_fits_here_"
#endif
const struct json_field field = JSON_FIELD_AS(NAME, U64, struct thread, v);
