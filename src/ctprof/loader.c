// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/loader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "util/alloc.h"
#include "util/parse.h"

/* A result may be this large whatever the text, and beyond that this many times the text. Our own
 * files need a third of their text. */
#define FREE_BYTES  (UINT64_C(64) << 20)
#define TEXT_FACTOR 2

struct loader *loader_new(struct snapshot *s, struct snapshot_notes *notes)
{
	struct loader *l = xcalloc(1, sizeof(*l));

	l->s = s;
	l->notes = notes;
	l->pool = (struct intern)INTERN_INIT(&s->arena);
	return l;
}

void loader_free(struct loader *l)
{
	if (!l)
		return;
	intern_done(&l->pool);
	vec_done(&l->rows);
	free(l);
}

void loader_freep(struct loader **l)
{
	loader_free(*l);
}

int loader_take(struct loader *l, struct json_reader *r, size_t bytes)
{
	uint64_t all = (l->bytes += bytes) + l->pool.bytes, text = json_position(r);

	if (all <= FREE_BYTES || all - FREE_BYTES <= text * TEXT_FACTOR)
		return 0;
	return json_fail(r, -E2BIG,
			 "refused: %" PRIu64 " bytes of text would take %" PRIu64 " of memory",
			 text, all);
}

int loader_keep(struct loader *l, struct json_reader *r, struct slice text, const char **ret)
{
	if (memchr(text.s, '\0', text.n))
		return json_fail(r, -EBADMSG, "a NUL byte in a text");
	*ret = intern(&l->pool, text);
	return loader_take(l, r, 0);
}

bool loader_null(struct json_reader *r)
{
	int kind = json_peek(r);

	return kind < 0 || (kind == JSON_NULL && json_read_null(r) <= 0);
}

int loader_text(struct loader *l, struct json_reader *r, const char **ret)
{
	struct slice text;

	if (loader_null(r) || json_read_string(r, &text) < 0)
		return r->error;
	return loader_keep(l, r, text, ret);
}

enum absence loader_named_reason(struct loader *l, struct slice name)
{
	for (enum absence a = ABSENCE_NONE + 1; a < ABSENCE_COUNT; a++)
		if (slice_is(name, absence_name(a)))
			return a;
	notes_add(l->notes, "a reason for absence that is not known: '%.*s'",
		  (int)(name.n < 32 ? name.n : 32), name.s);
	return ABSENCE_ERROR;
}

int loader_reason(struct loader *l, struct json_reader *r, enum absence *ret)
{
	struct slice name;

	if (json_read_string(r, &name) < 0)
		return r->error;
	*ret = loader_named_reason(l, name);
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct keyed_row *)a)->name, ((const struct keyed_row *)b)->name);
}

/* Sorts where needed; a name that comes twice is refused as in any object. */
static int check_rows(struct loader *l, struct json_reader *r)
{
	size_t n = l->rows.n, sorted = 1;

	while (sorted < n && by_name(&l->rows.v[sorted - 1], &l->rows.v[sorted]) < 0)
		sorted++;
	if (sorted >= n)
		return 0;
	qsort(l->rows.v, n, sizeof(*l->rows.v), by_name);
	for (size_t i = 1; i < n; i++)
		if (by_name(&l->rows.v[i - 1], &l->rows.v[i]) == 0)
			return json_fail(r, -EBADMSG, "a second '%.64s'", l->rows.v[i].name);
	return 0;
}

static int read_rows(struct loader *l, struct json_reader *r)
{
	struct slice key;
	int more;

	if (json_enter_object(r) < 0)
		return r->error;
	while ((more = json_next_key(r, &key)) > 0) {
		struct keyed_row row = {};

		if (loader_keep(l, r, key, &row.name) < 0 || json_read_u64(r, &row.v) < 0 ||
		    loader_push(l, r, &l->rows, row) < 0)
			return r->error;
	}
	return more < 0 ? more : check_rows(l, r);
}

int loader_keyed(struct loader *l, struct json_reader *r, struct keyed *ret)
{
	struct keyed_row *rows;

	l->rows.n = 0;
	if (loader_null(r) || read_rows(l, r) < 0)
		return r->error;
	*ret = (struct keyed){};
	if (!l->rows.n)
		return 0;
	rows = arena_alloc_array(&l->s->arena, l->rows.n, sizeof(*rows));
	memcpy(rows, l->rows.v, l->rows.n * sizeof(*rows));
	*ret = (struct keyed){ rows, l->rows.n };
	return 0;
}

/* Sets bits of l->words; @ret is how many words are in use. */
static int read_ids(struct loader *l, struct json_reader *r, size_t *ret)
{
	size_t used = 0;

	if (json_enter_array(r) < 0)
		return r->error;
	while (json_next_element(r) > 0) {
		uint32_t id;

		if (json_read_u32(r, &id) < 0)
			break;
		if (id >= CPUSET_MAX) {
			json_fail(r, -ERANGE, "CPU %" PRIu32 " is past the last one, %u", id,
				  CPUSET_MAX - 1);
			break;
		}
		l->words[id / 64] |= UINT64_C(1) << id % 64;
		if (used <= id / 64)
			used = id / 64 + 1;
	}
	*ret = used;
	return r->error;
}

/* Equal sets are one. The pool keeps bytes, whatever they mean. */
static const struct cpuset *keep_set(struct loader *l, size_t used)
{
	size_t n = used * sizeof(l->words[0]);
	struct cpuset set = { .n_words = used };

	if (used)
		set.words = (uint64_t *)(uintptr_t)intern(&l->pool,
							  (struct slice){ (char *)l->words, n });
	return (const struct cpuset *)(const void *)intern(&l->pool, (struct slice){ (char *)&set,
										     sizeof(set) });
}

static bool is_set(const struct cpuset *set, const uint64_t *words, size_t used)
{
	return set && set->n_words == used &&
	       (!used || memcmp(set->words, words, used * sizeof(*words)) == 0);
}

int loader_cpus(struct loader *l, struct json_reader *r, const struct cpuset **ret)
{
	const struct cpuset *last = l->previous ? l->previous->cpu_affinity.v : NULL;
	size_t used = 0;

	if (loader_null(r))
		return r->error;
	if (read_ids(l, r, &used) == 0)
		*ret = is_set(last, l->words, used) ? last : keep_set(l, used);
	memset(l->words, 0, used * sizeof(l->words[0]));
	return r->error ? r->error : loader_take(l, r, 0);
}
