// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The layouts of struct taskstats. Versions grew at the end, but for the first that had the longest
 * and the shortest delay: they put them right behind each total and so moved all that follows.
 * Version 16 moved everything back and appended the extrema.
 */
#include "sys/taskstats.h"

#include <errno.h>
#include <string.h>

#define SIZE_INLINE_MAX     496
#define SIZE_INLINE_EXTREMA 560

/* Offsets of 64-bit numbers; 0: this layout has no such member. */
struct layout {
	struct {
		uint16_t count, total, max, min;
	} delay[DELAY_COUNT];
	uint16_t hiwater_rss, hiwater_vm;
};

static const struct layout appended = {
	.delay = {
		[DELAY_CPU] = { 16, 24, 432, 440 },
		[DELAY_BLKIO] = { 32, 40, 448, 456 },
		[DELAY_SWAPIN] = { 48, 56, 464, 472 },
		[DELAY_FREEPAGES] = { 312, 320, 480, 488 },
		[DELAY_THRASHING] = { 328, 336, 496, 504 },
		[DELAY_COMPACT] = { 352, 360, 512, 520 },
		[DELAY_WPCOPY] = { 400, 408, 528, 536 },
		[DELAY_IRQ] = { 416, 424, 544, 552 },
	},
	.hiwater_rss = 200,
	.hiwater_vm = 208,
};

static const struct layout inline_extrema = {
	.delay = {
		[DELAY_CPU] = { 16, 24, 32, 40 },
		[DELAY_BLKIO] = { 48, 56, 64, 72 },
		[DELAY_SWAPIN] = { 80, 88, 96, 104 },
		[DELAY_FREEPAGES] = { 360, 368, 376, 384 },
		[DELAY_THRASHING] = { 392, 400, 408, 416 },
		[DELAY_COMPACT] = { 432, 440, 448, 456 },
		[DELAY_WPCOPY] = { 496, 504, 512, 520 },
		[DELAY_IRQ] = { 528, 536, 544, 552 },
	},
	.hiwater_rss = 248,
	.hiwater_vm = 256,
};

static const struct layout inline_max = {
	.delay = {
		[DELAY_CPU] = { 16, 24, 32, 0 },
		[DELAY_BLKIO] = { 40, 48, 56, 0 },
		[DELAY_SWAPIN] = { 64, 72, 80, 0 },
		[DELAY_FREEPAGES] = { 336, 344, 352, 0 },
		[DELAY_THRASHING] = { 360, 368, 376, 0 },
		[DELAY_COMPACT] = { 392, 400, 408, 0 },
		[DELAY_WPCOPY] = { 448, 456, 464, 0 },
		[DELAY_IRQ] = { 472, 480, 488, 0 },
	},
	.hiwater_rss = 224,
	.hiwater_vm = 232,
};

/* Up to where a version that only grew is known. Vendors append what they like under the same
 * number: that is not ours to read. */
static size_t known_size(uint16_t version)
{
	static const uint16_t sizes[] = {
		[8] = 328,  [9] = 344,  [10] = 352, [11] = 368,
		[12] = 400, [13] = 416, [14] = 432, [15] = 432,
	};

	if (version >= ARRAY_SIZE(sizes))
		return SIZE_MAX;
	return version < 8 ? sizes[8] : sizes[version];
}

/* Cuts @stats down to what is known of it. */
static const struct layout *choose(uint16_t version, struct slice *stats)
{
	if (version <= 15 && stats->n >= SIZE_INLINE_EXTREMA)
		return &inline_extrema;
	if (version <= 14 && stats->n == SIZE_INLINE_MAX)
		return &inline_max;
	if (stats->n > known_size(version))
		stats->n = known_size(version);
	return &appended;
}

static bool number(struct slice stats, uint16_t offset, uint64_t *ret)
{
	if (offset == 0 || offset + sizeof(*ret) > stats.n)
		return false;
	memcpy(ret, stats.s + offset, sizeof(*ret));
	return true;
}

/* Both or none: half a pair would be a number that means nothing. */
static bool pair(struct slice stats, uint16_t first, uint16_t second, uint64_t *ret_first,
		 uint64_t *ret_second)
{
	uint64_t a, b;

	if (!number(stats, first, &a) || !number(stats, second, &b))
		return false;
	*ret_first = a;
	*ret_second = b;
	return true;
}

int taskstats_decode(struct slice stats, struct taskstats_values *ret)
{
	struct taskstats_values v = {};
	const struct layout *at;

	if (stats.n < sizeof(v.version))
		return -EBADMSG;
	memcpy(&v.version, stats.s, sizeof(v.version));
	at = choose(v.version, &stats);
	for (size_t i = 0; i < DELAY_COUNT; i++) {
		struct delay *d = &v.delay[i];

		d->known = pair(stats, at->delay[i].count, at->delay[i].total, &d->count,
				&d->total_ns);
		d->extrema_known =
			pair(stats, at->delay[i].max, at->delay[i].min, &d->max_ns, &d->min_ns);
		if (at->delay[i].min == 0)
			(void)number(stats, at->delay[i].max, &d->max_ns);
	}
	v.hiwater_known =
		pair(stats, at->hiwater_rss, at->hiwater_vm, &v.hiwater_rss_kb, &v.hiwater_vm_kb);
	*ret = v;
	return 0;
}
