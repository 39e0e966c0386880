// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/parts_json.h"

void absence_json_write(struct json_writer *w, const struct snapshot *s)
{
	const char *open = NULL;

	json_begin_object(w);
	for (size_t i = 0; i < s->absence.n; i++) {
		const struct snapshot_absence *a = &s->absence.v[i];

		if (!open || strcmp(open, a->source) != 0) {
			if (open)
				json_end_object(w);
			json_key(w, a->source);
			json_begin_object(w);
			open = a->source;
		}
		json_key(w, absence_name(a->reason));
		json_u64(w, a->count);
	}
	if (open)
		json_end_object(w);
	json_end_object(w);
}

static int read_source(struct json_reader *r, struct snapshot *s, const char *source,
		       struct loader *l)
{
	struct slice key;

	if (loader_null(r) || json_enter_object(r) < 0)
		return r->error;
	while (json_next_key(r, &key) > 0) {
		struct snapshot_absence a = { .source = source };

		a.reason = loader_named_reason(l, key);
		if (json_read_u64(r, &a.count) < 0 || loader_push(l, r, &s->absence, a) < 0)
			break;
	}
	return r->error;
}

/* Two reasons that are not known are one to us. */
static void merge(struct snapshot *s, struct loader *l)
{
	size_t n = 0;

	if (!s->absence.n)
		return;
	snapshot_sort_absence(s);
	for (size_t i = 1; i < s->absence.n; i++) {
		struct snapshot_absence *last = &s->absence.v[n], *a = &s->absence.v[i];

		if (snapshot_compare_absence(last, a) != 0) {
			s->absence.v[++n] = *a;
			continue;
		}
		if (__builtin_add_overflow(last->count, a->count, &last->count))
			last->count = UINT64_MAX;
		notes_add(l->notes, "'absence' tells of '%.64s' twice", a->source);
	}
	s->absence.n = n + 1;
}

int absence_json_read(struct json_reader *r, struct snapshot *s, struct loader *l)
{
	struct slice key;

	if (loader_null(r) || json_enter_object(r) < 0)
		return r->error;
	while (json_next_key(r, &key) > 0) {
		const char *source;

		if (loader_keep(l, r, key, &source) < 0 || read_source(r, s, source, l) < 0)
			break;
	}
	if (!r->error)
		merge(s, l);
	return r->error;
}
