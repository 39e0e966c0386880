// SPDX-License-Identifier: GPL-2.0-only
/* Both forms: rows are ascending, each name once and found again; a like one shares every name; the
 * front of a file tells nothing the whole does not. */
#include <stdint.h>
#include <stdlib.h>

#include "sys/keyed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct keyed parser(struct slice text, const struct keyed *like, struct arena *arena);

static void check_rows(const struct keyed *keyed)
{
	for (size_t i = 0; i < keyed->n; i++) {
		const struct keyed_row *row = &keyed->rows[i];
		uint64_t v;

		if (!row->name[0] || (i && strcmp(row[-1].name, row->name) >= 0))
			abort();
		if (!keyed_get(keyed, row->name, &v) || v != row->v)
			abort();
	}
}

static void check(parser *parse, struct slice text)
{
	struct arena arena = ARENA_INIT;
	struct keyed whole = parse(text, NULL, &arena);
	struct keyed front = parse((struct slice){ text.s, text.n / 2 }, &whole, &arena);
	struct keyed again = parse(text, &front, &arena);

	check_rows(&whole);
	check_rows(&front);
	check_rows(&again);
	if (again.n != whole.n)
		abort();
	for (size_t i = 0, at = 0; i < front.n; i++, at++) {
		while (at < whole.n && whole.rows[at].name != front.rows[i].name)
			at++;
		if (at == whole.n || whole.rows[at].v != front.rows[i].v)
			abort();
	}
	arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice text = { (const char *)data, size };

	check(keyed_parse, text);
	check(keyed_parse_kb, text);
	return 0;
}
