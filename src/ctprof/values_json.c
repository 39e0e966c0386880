// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/parts_json.h"

static int read_text(struct json_reader *r, void *member, void *loader)
{
	return loader_text(loader, r, member);
}

static void write_text(struct json_writer *w, const void *member)
{
	const char *text = *(const char *const *)member;

	json_string(w, text ? text : "");
}

static void write_text_or_null(struct json_writer *w, const void *member)
{
	const char *text = *(const char *const *)member;

	if (text)
		json_string(w, text);
	else
		json_null(w);
}

static int read_keyed(struct json_reader *r, void *member, void *loader)
{
	return loader_keyed(loader, r, member);
}

static void write_keyed(struct json_writer *w, const void *member)
{
	const struct keyed *keyed = member;

	json_begin_object(w);
	for (size_t i = 0; i < keyed->n; i++) {
		json_key(w, keyed->rows[i].name);
		json_u64(w, keyed->rows[i].v);
	}
	json_end_object(w);
}

const struct json_custom json_text = { read_text, write_text };
const struct json_custom json_text_or_null = { read_text, write_text_or_null };
const struct json_custom json_keyed = { read_keyed, write_keyed };

bool reasons_none(const struct reason_list *list, const void *obj)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->get(obj, i))
			return false;
	return true;
}

void reasons_write(struct json_writer *w, const struct reason_list *list, const void *obj)
{
	json_begin_object(w);
	for (size_t i = 0; i < list->n; i++) {
		enum absence why = list->get(obj, i);

		if (!why)
			continue;
		json_key(w, list->name(i));
		json_string(w, absence_name(why));
	}
	json_end_object(w);
}

/* Looked for from @from on all the way round: they come in the order of the list. */
static size_t find_name(const struct reason_list *list, struct slice name, size_t from)
{
	for (size_t k = 0; k < list->n && name.n; k++) {
		size_t i = from + k < list->n ? from + k : from + k - list->n;

		if (slice_is(name, list->name(i)))
			return i;
	}
	return list->n;
}

int reasons_read(struct json_reader *r, const struct reason_list *list, void *obj, struct loader *l)
{
	size_t at = 0;
	struct slice key;

	if (loader_null(r) || json_enter_object(r) < 0)
		return r->error;
	while (json_next_key(r, &key) > 0) {
		size_t found = find_name(list, key, at);
		enum absence why;

		if (found == list->n)
			notes_add(l->notes, "absent is something that is not known: '%.*s'",
				  (int)(key.n < 32 ? key.n : 32), key.s);
		if (loader_reason(l, r, &why) < 0)
			break;
		if (found == list->n)
			continue;
		list->set(obj, found, why);
		at = found + 1;
	}
	return r->error;
}
