// expect: not compatible with any (generic )?association
// SPDX-License-Identifier: GPL-2.0-only
#include "json/schema.h"

struct thread {
	struct slice comm;
	char *pcomm;
};

typedef struct slice text_type;
extern const struct json_custom text;
extern const struct json_field field;

#ifdef WRONG
const struct json_field field = JSON_CUSTOM(text, struct thread, pcomm);
#else
const struct json_field field = JSON_CUSTOM(text, struct thread, comm);
#endif
