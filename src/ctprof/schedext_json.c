// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>

#include "ctprof/parts_json.h"

typedef char state_type[sizeof(((struct schedext *)0)->state)];

static int read_state(struct json_reader *r, void *member, void *loader)
{
	struct slice text;
	char *state = member;

	(void)loader;
	if (loader_null(r) || json_read_string(r, &text) < 0)
		return r->error;
	if (text.n >= sizeof(state_type) || memchr(text.s, '\0', text.n))
		return json_fail(r, -EBADMSG, "%zu bytes are no state", text.n);
	memcpy(state, text.s, text.n);
	state[text.n] = '\0';
	return 0;
}

static void write_state(struct json_writer *w, const void *member)
{
	json_string(w, member);
}

static const struct json_custom state = { read_state, write_state };

typedef typeof(((struct schedext *)0)->absent) reasons_type;

/* The members that can be absent, in the order of the document. */
static const struct {
	const char *name;
	size_t offset;
} members[] = {
	{ "state", offsetof(reasons_type, state) },
#define SCHEDEXT(name) { #name, offsetof(reasons_type, name) },
#include "sys/schedext.def"
#undef SCHEDEXT
};

static const char *name_of_member(size_t i)
{
	return members[i].name;
}

static enum absence get_reason(const void *obj, size_t i)
{
	return *(const enum absence *)((const char *)obj + members[i].offset);
}

static void set_reason(void *obj, size_t i, enum absence why)
{
	*(enum absence *)((char *)obj + members[i].offset) = why;
}

static const struct reason_list reason_list = { ARRAY_SIZE(members), name_of_member, get_reason,
						set_reason };

REASONS_JSON(reasons, reason_list)

static const struct json_field fields[] = {
	JSON_CUSTOM(state, struct schedext, state),
#define SCHEDEXT(name) JSON_FIELD(U64, struct schedext, name),
#include "sys/schedext.def"
#undef SCHEDEXT
	JSON_CUSTOM_AS("absent", reasons, struct schedext, absent),
};
static const struct json_schema schema = JSON_SCHEMA(fields);

void schedext_json_write(struct json_writer *w, const struct schedext *ext)
{
	if (ext->absence)
		json_null(w);
	else
		json_write_fields(w, &schema, ext);
}

void schedext_json_absent(struct schedext *ext, enum absence why)
{
	*ext = (struct schedext){ .absence = why };
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		set_reason(&ext->absent, i, why);
}

int schedext_json_read(struct json_reader *r, struct schedext *ext, struct loader *l)
{
	struct schedext found = {};

	if (loader_null(r) || json_read_fields(r, &schema, &found, l) < 0)
		return r->error;
	*ext = found;
	return 0;
}
