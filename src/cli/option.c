// SPDX-License-Identifier: GPL-2.0-only
#include "cli/option.h"

#include <inttypes.h>
#include <string.h>

const struct choice *choice_find(const struct choice *choices, const char *name)
{
	for_each_choice (choices, c)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

void choices_list(const struct choice *choices, struct strbuf *out)
{
	for_each_choice (choices, c)
		strbuf_addf(out, "%s%s", c == choices ? "" : ", ", c->name);
}

bool option_default(const struct option *o, struct strbuf *out)
{
	switch (o->kind) {
	case OPTION_CHOICE:
		for_each_choice (o->choices, c)
			if (c->value == o->def.choice) {
				strbuf_addstr(out, c->name);
				return true;
			}
		return false;
	case OPTION_STRING:
		if (o->def.string)
			strbuf_addstr(out, o->def.string);
		return o->def.string;
	case OPTION_U64:
		if (o->def.u64 < o->min || o->def.u64 > o->max)
			return false;
		strbuf_addf(out, "%" PRIu64, o->def.u64);
		return true;
	case OPTION_END:
	case OPTION_HELP:
	case OPTION_FLAG:
	case OPTION_LIST:
		return false;
	}
	return false;
}
