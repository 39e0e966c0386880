// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where each member lies is left to the compiler here: the structures below list the members in the
 * order in which kernels have them.
 */
#include "sys/taskstats.h"

#include <assert.h>
#include <errno.h>
#include <linux/taskstats.h>
#include <string.h>

#include "unit.h"
#include "util/cleanup.h"

#define LONGEST 1024

/* A kernel's struct taskstats with delays that look like D(name). */
#define MEMBERS(D)                                                                                 \
	uint16_t version;                                                                          \
	uint32_t ac_exitcode;                                                                      \
	uint8_t ac_flag, ac_nice;                                                                  \
	D(cpu) D(blkio) D(swapin) uint64_t cpu_run_real_total, cpu_run_virtual_total;              \
	char ac_comm[32];                                                                          \
	uint8_t ac_sched, ac_pad[7];                                                               \
	uint32_t ac_uid, ac_gid, ac_pid, ac_ppid, ac_btime;                                        \
	uint64_t ac_etime, ac_utime, ac_stime, ac_minflt, ac_majflt;                               \
	uint64_t coremem, virtmem, hiwater_rss, hiwater_vm;                                        \
	uint64_t read_char, write_char, read_syscalls, write_syscalls;                             \
	uint64_t read_bytes, write_bytes, cancelled_write_bytes, nvcsw, nivcsw;                    \
	uint64_t ac_utimescaled, ac_stimescaled, cpu_scaled_run_real_total;                        \
	D(freepages) D(thrashing) uint64_t ac_btime64;                                             \
	D(compact) uint32_t ac_tgid;                                                               \
	uint64_t ac_tgetime, ac_exe_dev, ac_exe_inode;                                             \
	D(wpcopy) D(irq)

#define PLAIN(name)        uint64_t name##_count, name##_total;
#define WITH_MAX(name)     PLAIN(name) uint64_t name##_max;
#define EXTREMA(name)      uint64_t name##_max, name##_min;
#define WITH_EXTREMA(name) PLAIN(name) EXTREMA(name)

/* Versions that grew at the end: all but two. */
struct grown {
	MEMBERS(PLAIN)
	EXTREMA(cpu)
	EXTREMA(blkio)
	EXTREMA(swapin)
	EXTREMA(freepages)
	EXTREMA(thrashing) EXTREMA(compact) EXTREMA(wpcopy) EXTREMA(irq) uint64_t stamps[8][2];
};

struct with_max {
	MEMBERS(WITH_MAX)
};

struct with_extrema {
	MEMBERS(WITH_EXTREMA)
};

static_assert(sizeof(struct grown) == 688, "version 17");
static_assert(sizeof(struct with_max) == 496, "an odd version 14");
static_assert(sizeof(struct with_extrema) == 560, "version 15");
#if TASKSTATS_VERSION < 14 || TASKSTATS_VERSION > 15
static_assert(offsetof(struct grown, wpcopy_total) ==
		      offsetof(struct taskstats, wpcopy_delay_total),
	      "the headers of this system agree");
#endif

struct places {
	struct {
		size_t count, total, max, min;
	} delay[DELAY_COUNT];
	size_t rss, vm;
};

static const struct places grown = {
	.delay = {
#define DELAY(id, name)                                                                            \
	{ offsetof(struct grown, name##_count), offsetof(struct grown, name##_total),              \
	  offsetof(struct grown, name##_max), offsetof(struct grown, name##_min) },
#include "sys/delays.def"
#undef DELAY
	},
	.rss = offsetof(struct grown, hiwater_rss),
	.vm = offsetof(struct grown, hiwater_vm),
};

static const struct places with_extrema = {
	.delay = {
#define DELAY(id, name)                                                                            \
	{ offsetof(struct with_extrema, name##_count),                                             \
	  offsetof(struct with_extrema, name##_total), offsetof(struct with_extrema, name##_max),  \
	  offsetof(struct with_extrema, name##_min) },
#include "sys/delays.def"
#undef DELAY
	},
	.rss = offsetof(struct with_extrema, hiwater_rss),
	.vm = offsetof(struct with_extrema, hiwater_vm),
};

static const struct places with_max = {
	.delay = {
#define DELAY(id, name)                                                                            \
	{ offsetof(struct with_max, name##_count), offsetof(struct with_max, name##_total),        \
	  offsetof(struct with_max, name##_max), 0 },
#include "sys/delays.def"
#undef DELAY
	},
	.rss = offsetof(struct with_max, hiwater_rss),
	.vm = offsetof(struct with_max, hiwater_vm),
};

/* Every number tells its place. */
static uint64_t number_at(size_t offset)
{
	return 0x1122334400000000 + offset;
}

/* In a block of its own size, for ASan. */
static char *make(uint16_t version, size_t size)
{
	char *bytes = malloc(size ? size : 1);

	assert_non_null(bytes);
	memset(bytes, 0xee, size);
	for (size_t i = 8; i + sizeof(uint64_t) <= size; i += sizeof(uint64_t)) {
		uint64_t value = number_at(i);

		memcpy(bytes + i, &value, sizeof(value));
	}
	if (size >= sizeof(version))
		memcpy(bytes, &version, sizeof(version));
	return bytes;
}

static void assert_values(const struct taskstats_values *v, const struct places *at, size_t known,
			  size_t extrema)
{
	for (size_t i = 0; i < DELAY_COUNT; i++) {
		const struct delay *d = &v->delay[i];

		assert_int_equal(d->known, i < known);
		assert_int_equal(d->count, i < known ? number_at(at->delay[i].count) : 0);
		assert_int_equal(d->total_ns, i < known ? number_at(at->delay[i].total) : 0);
		assert_int_equal(d->extrema_known, i < extrema);
		assert_int_equal(d->min_ns, i < extrema ? number_at(at->delay[i].min) : 0);
		if (i < extrema || at == &with_max)
			assert_int_equal(d->max_ns, number_at(at->delay[i].max));
		else
			assert_int_equal(d->max_ns, 0);
	}
}

static void every_layout_is_read_where_its_members_lie(void **state)
{
	static const struct {
		const char *label;
		unsigned version;
		unsigned size;
		const struct places *at;
		unsigned known, extrema; /* of the delays in their order */
		bool hiwater;
	} cases[] = {
		{ "version 8", 8, 328, &grown, 4, 0, true },
		{ "version 9", 9, 344, &grown, 5, 0, true },
		{ "version 10", 10, 352, &grown, 5, 0, true },
		{ "version 11", 11, 368, &grown, 6, 0, true },
		{ "version 12", 12, 400, &grown, 6, 0, true },
		{ "version 13", 13, 416, &grown, 7, 0, true },
		{ "version 14", 14, 432, &grown, 8, 0, true },
		{ "version 14 with maxima inside", 14, 496, &with_max, 8, 0, true },
		{ "version 14 with extrema inside", 14, 560, &with_extrema, 8, 8, true },
		{ "version 15", 15, 560, &with_extrema, 8, 8, true },
		{ "version 16", 16, 560, &grown, 8, 8, true },
		{ "version 17", 17, 688, &grown, 8, 8, true },
		{ "a version to come", 99, 1000, &grown, 8, 8, true },
		{ "version 15 of a vendor who left the extrema out", 15, 432, &grown, 8, 0, true },
		{ "version 15 of a vendor with another pair", 15, 448, &grown, 8, 0, true },
		{ "version 15 as long as an odd version 14", 15, 496, &grown, 8, 0, true },
		{ "version 15 of no known length", 15, 552, &grown, 8, 0, true },
		{ "version 13 of a vendor with another pair", 13, 432, &grown, 7, 0, true },
		{ "version 8 of a vendor", 8, 400, &grown, 4, 0, true },
		{ "version 14 of no known length", 14, 504, &grown, 8, 0, true },
		{ "version 7", 7, 328, &grown, 4, 0, true },
		{ "version 16 of a vendor", 16, 600, &grown, 8, 8, true },
		{ "version 16 cut in the extrema", 16, 480, &grown, 8, 3, true },
		{ "version 16 cut within a pair", 16, 487, &grown, 8, 3, true },
		{ "version 16 cut between maximum and minimum", 16, 456, &grown, 8, 1, true },
		{ "version 16 without extrema", 16, 432, &grown, 8, 0, true },
		{ "version 16 cut before the second watermark", 16, 208, &grown, 3, 0, false },
		{ "version 16 cut behind it", 16, 216, &grown, 3, 0, true },
		{ "version 8 cut behind the first total", 8, 32, &grown, 1, 0, false },
		{ "version 8 cut before the first total", 8, 31, &grown, 0, 0, false },
		{ "nothing but a version", 14, 2, &grown, 0, 0, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_free_ char *bytes = make((uint16_t)cases[i].version, cases[i].size);
		struct taskstats_values v;

		print_message("# %s\n", cases[i].label);
		memset(&v, 0xff, sizeof(v));
		assert_int_equal(taskstats_decode((struct slice){ bytes, cases[i].size }, &v), 0);
		assert_int_equal(v.version, cases[i].version);
		assert_values(&v, cases[i].at, cases[i].known, cases[i].extrema);
		assert_int_equal(v.hiwater_known, cases[i].hiwater);
		assert_int_equal(v.hiwater_rss_kb,
				 cases[i].hiwater ? number_at(cases[i].at->rss) : 0);
		assert_int_equal(v.hiwater_vm_kb,
				 cases[i].hiwater ? number_at(cases[i].at->vm) : 0);
	}
}

static void the_layouts_do_differ(void **state)
{
	(void)state;
	assert_int_equal(grown.delay[DELAY_CPU].count, 16);
	assert_int_equal(grown.delay[DELAY_IRQ].min, 552);
	assert_int_equal(with_extrema.delay[DELAY_BLKIO].count, 48);
	assert_int_equal(with_max.delay[DELAY_BLKIO].count, 40);
	assert_int_equal(grown.rss, 200);
	assert_int_equal(with_extrema.rss, 248);
	assert_int_equal(with_max.rss, 224);
}

static void without_a_version_nothing_is_written(void **state)
{
	struct taskstats_values v, same;

	(void)state;
	memset(&v, 0x55, sizeof(v));
	memset(&same, 0x55, sizeof(same));
	for (size_t size = 0; size < sizeof(v.version); size++) {
		_cleanup_free_ char *bytes = make(16, size);

		assert_int_equal(taskstats_decode((struct slice){ bytes, size }, &v), -EBADMSG);
	}
	assert_memory_equal(&v, &same, sizeof(v));
}

static void whatever_the_size_nothing_behind_the_end_is_read(void **state)
{
	(void)state;
	for (unsigned version = 0; version < 20; version++) {
		for (size_t size = 2; size < LONGEST; size++) {
			_cleanup_free_ char *bytes = make((uint16_t)version, size);
			struct taskstats_values v;

			assert_int_equal(taskstats_decode((struct slice){ bytes, size }, &v), 0);
			for (size_t i = 0; i < DELAY_COUNT; i++) {
				const struct delay *d = &v.delay[i];

				assert_true(d->known || (!d->count && !d->total_ns));
				assert_true(d->extrema_known || !d->min_ns);
				assert_true(!d->extrema_known || d->known);
			}
			assert_true(v.hiwater_known || (!v.hiwater_rss_kb && !v.hiwater_vm_kb));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_layout_is_read_where_its_members_lie),
		cmocka_unit_test(the_layouts_do_differ),
		cmocka_unit_test(without_a_version_nothing_is_written),
		cmocka_unit_test(whatever_the_size_nothing_behind_the_end_is_read),
	};

	return cmocka_run_group_tests_name("taskstats_decode", tests, NULL, NULL);
}
