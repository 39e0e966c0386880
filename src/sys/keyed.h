/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Numbers by name, as the kernel prints them: memory.stat, memory.events, smaps_rollup. The rows
 * are ascending by name (byte order), each name once, and belong to the arena they were parsed
 * into.
 */
#ifndef SYS_KEYED_H
#define SYS_KEYED_H

#include <stddef.h>
#include <stdint.h>

#include "util/arena.h"
#include "util/slice.h"

struct keyed_row {
	const char *name;
	uint64_t v;
};

struct keyed {
	const struct keyed_row *rows;
	size_t n;
};

/* Lines of "NAME VALUE"; any other line is passed over, and so is what stands behind the last line
 * end: it may have been cut. Of a name that comes twice the first well-formed line counts. Names
 * that @like (may be NULL) has too are borrowed from it instead of copied, so @like must live as
 * long as the result: one kernel prints the same names everywhere. */
struct keyed keyed_parse(struct slice text, const struct keyed *like, struct arena *arena);

/* Lines of "Name:   VALUE kB" as in smaps_rollup. A line whose name holds white space or '-' (the
 * address range above them) or whose value is no number is passed over. */
struct keyed keyed_parse_kb(struct slice text, const struct keyed *like, struct arena *arena);

/* The number under @name: 1, or 0 when there is none. */
int keyed_get(const struct keyed *keyed, const char *name, uint64_t *ret);

#endif
