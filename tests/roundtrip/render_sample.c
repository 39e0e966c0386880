// SPDX-License-Identifier: GPL-2.0-only
/* Prints a document of random cells: render_sample FORMAT SEED. For render_roundtrip.py. */
#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "util/parse.h"

#define ROWS    200
#define LONGEST 24

static uint64_t random_state;

static uint64_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

/* Any bytes, with what writers stumble over more often than chance would have it. */
static struct cell random_name(struct arena *arena)
{
	static const char *const bits[] = { ",",  "\"",   "\n",       "\r\n", "\\",
					    "µ",  "中",   "\xc2\x9b", "\xff", "\xe2\x80\xae",
					    "\t", "\033", "\\x2d",    "a",    " " };
	char name[LONGEST];
	size_t n = next_random() % LONGEST;

	for (size_t i = 0; i < n; i++)
		name[i] = (char)next_random();
	for (size_t i = 0; i < n / 2; i++) {
		const char *bit = bits[next_random() % ARRAY_SIZE(bits)];
		size_t at = next_random() % n, len = strlen(bit);

		memcpy(name + at, bit, len < n - at ? len : n - at);
	}
	return cell_slice((struct slice){ arena_strdup(arena, (struct slice){ name, n }), n });
}

/* Items without NUL, which ends them. */
static struct cell random_list(struct arena *arena)
{
	size_t n = next_random() % 4;
	const char **items = arena_alloc_array(arena, n, sizeof(*items));

	for (size_t i = 0; i < n; i++)
		items[i] = random_name(arena).text.s;
	return cell_list(items, n);
}

static double random_real(void)
{
	uint64_t bits = next_random();
	double v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

static struct cell random_cell(struct arena *arena, struct cpuset *cpus)
{
	uint64_t v = next_random() >> next_random() % 64;

	switch (next_random() % 11) {
	case 0:
		return cell_blank();
	case 1:
		return cell_absent(ABSENCE_ENDED);
	case 2:
		return cell_bool(v & 1);
	case 3:
		return cell_u64(LADDER_BYTES, v);
	case 4:
		return cell_i64((int64_t)v);
	case 5:
		return cell_delta(LADDER_NS, (__int128)v - next_random());
	case 6:
		return cell_delta(LADDER_NS, (__int128)v * -(__int128)(next_random() >> 2));
	case 7:
		return cell_derived(LADDER_NS, random_real());
	case 8:
		return cell_percent((double)v / 1000);
	case 9:
		return random_list(arena);
	default:
		cpuset_add(cpus, (unsigned)(v % 512));
		return cell_cpus(cpus);
	}
}

static int find_format(const char *name)
{
	for (int i = 0; render_format_names[i]; i++)
		if (strcmp(render_format_names[i], name) == 0)
			return i;
	return -1;
}

int main(int argc, char **argv)
{
	static const struct column columns[] = { { "name" }, { "number" }, { "other" } };
	const struct table_options options = {};
	struct cpuset cpus = CPUSET_INIT;
	struct view views[2];
	int format, r;

	format = argc == 3 ? find_format(argv[1]) : -1;
	if (format < 0 || parse_u64(slice_of(argv[2]), 1, UINT64_MAX, &random_state) < 0)
		return 2;
	view_init(&views[0], "first", columns, 2);
	view_init(&views[1], "second", columns + 1, 2);
	for (unsigned i = 0; i < ROWS; i++) {
		view_row(&views[0], random_name(&views[0].arena),
			 random_cell(&views[0].arena, &cpus));
		view_row(&views[1], random_cell(&views[1].arena, &cpus),
			 random_name(&views[1].arena));
	}
	r = render_document(views, ARRAY_SIZE(views), (enum render_format)format, &options, stdout);
	view_done(&views[0]);
	view_done(&views[1]);
	cpuset_done(&cpus);
	return r < 0 ? 1 : 0;
}
