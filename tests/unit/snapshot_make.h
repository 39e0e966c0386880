/* SPDX-License-Identifier: GPL-2.0-only */
/* Snapshots made up from a seed, with everything in them that a snapshot can have. */
#ifndef TESTS_SNAPSHOT_MAKE_H
#define TESTS_SNAPSHOT_MAKE_H

#include <stdio.h>

#include "ctprof/registry.h"
#include "ctprof/snapshot.h"
#include "util/cpuset.h"

struct maker {
	uint64_t seed;
	struct arena *arena;
};

static inline uint64_t make_below(struct maker *m, uint64_t n)
{
	m->seed = m->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return n ? (m->seed >> 20) % n : m->seed;
}

/* Of any width, zero and the largest among them. */
static inline uint64_t make_u64(struct maker *m)
{
	unsigned bits = (unsigned)make_below(m, 66);

	m->seed = m->seed * UINT64_C(6364136223846793005) + 1;
	return bits >= 65  ? UINT64_MAX
	       : bits == 0 ? 0
			   : (m->seed ^ m->seed >> 31) >> (64 - (bits > 64 ? 64 : bits));
}

static inline int32_t make_i32(struct maker *m)
{
	return (int32_t)(uint32_t)make_u64(m);
}

static inline enum absence make_absence(struct maker *m)
{
	return make_below(m, 4) ? ABSENCE_NONE : 1 + (enum absence)make_below(m, ABSENCE_COUNT - 1);
}

static inline const char *make_text(struct maker *m)
{
	static const char *const texts[] = { "",     "a",        "\"quoted\"\\", "tab\there",
					     "µs ✓", "\xff\xfe", "kworker/0:1H", "\x1b[31m" };
	char text[64];

	if (make_below(m, 2))
		return texts[make_below(m, sizeof(texts) / sizeof(texts[0]))];
	snprintf(text, sizeof(text), "worker-%u", (unsigned)make_below(m, 1000));
	return arena_strdup(m->arena, slice_of(text));
}

static inline const struct cpuset *make_cpus(struct maker *m)
{
	struct cpuset *set = arena_new(m->arena, struct cpuset);
	size_t n = make_below(m, 4);

	if (!n)
		return make_below(m, 2) ? set : NULL;
	set->words = arena_alloc_array(m->arena, n, sizeof(*set->words));
	set->n_words = n;
	for (size_t i = 0; i < n; i++)
		set->words[i] = make_u64(m);
	return set;
}

static inline struct keyed make_keyed(struct maker *m)
{
	size_t n = make_below(m, 12);
	struct keyed_row *rows = arena_alloc_array(m->arena, n, sizeof(*rows));

	for (size_t i = 0; i < n; i++) {
		char name[32];

		snprintf(name, sizeof(name), "key_%02zu%s", i, make_below(m, 2) ? "_kb" : "");
		rows[i] = (struct keyed_row){ arena_strdup(m->arena, slice_of(name)), make_u64(m) };
	}
	return (struct keyed){ rows, n };
}

static inline void make_thread(struct maker *m, struct thread *t, uint32_t tid)
{
#define make_uint64_t(member) t->member = make_u64(m)
#define FIELD(kind, name, reading)                                                                 \
	t->name.v = _Generic(t->name.v, uint64_t : make_u64(m), int32_t : make_i32(m), uint32_t    \
			     : (uint32_t)make_u64(m), bool                                         \
			     : (bool)make_below(m, 2), char                                        \
			     : (char)('A' + (char)make_below(m, 26)), const char *                 \
			     : make_text(m), const struct cpuset *                                 \
			     : make_cpus(m));
#define IDENTITY(type, name, reading)
#include "ctprof/thread.def"
#undef FIELD
#undef IDENTITY
#undef make_uint64_t
	t->tid = tid;
	t->tgid = tid / 8 * 8;
	t->pcomm = make_text(m);
	t->comm = make_text(m);
	t->cgroup = make_text(m);
	t->start_time_clock_ticks = make_u64(m);
	t->smaps_rollup_kb = make_keyed(m);
	for (size_t i = READING_NONE + 1; i < READING_COUNT; i++)
		t->absent[i] = (uint8_t)make_absence(m);
	if (make_below(m, 2))
		memset(t->absent, 0, sizeof(t->absent));
	t->heap_layout = make_below(m, 2) ? make_text(m) : NULL;
}

static inline void make_psi(struct maker *m, struct psi *psi)
{
	for (size_t i = 0; i < PSI_COUNT; i++) {
		struct psi_pressure *p = &psi->resource[i];

		p->absence = make_absence(m);
		p->some = (struct psi_half){ (uint16_t)make_u64(m), (uint16_t)make_u64(m),
					     (uint16_t)make_u64(m), make_u64(m) };
		p->full = (struct psi_half){ .total_usec = make_u64(m) };
	}
}

static inline struct cgroup_number make_COUNT(struct maker *m)
{
	return (struct cgroup_number){ .v = make_u64(m) };
}

static inline struct cgroup_number make_OPTIONAL(struct maker *m)
{
	enum absence why = make_absence(m);

	return (struct cgroup_number){ .absent = why, .v = why ? 0 : make_u64(m) };
}

static inline struct cgroup_number make_LIMIT(struct maker *m)
{
	struct cgroup_number number = make_OPTIONAL(m);

	if (!number.absent && make_below(m, 2))
		number = (struct cgroup_number){ .unlimited = true };
	return number;
}

#define make_QUOTA make_LIMIT
#define make_FLOOR make_OPTIONAL

static inline struct cgroup_number make_PERIOD(struct maker *m)
{
	struct cgroup_number number = make_OPTIONAL(m);

	if (number.absent)
		number.v = CGROUP_PERIOD_DEFAULT;
	return number;
}

static inline struct cgroup_nice make_NICE(struct maker *m)
{
	enum absence why = make_absence(m);

	return (struct cgroup_nice){ why, why ? 0 : make_i32(m) };
}

static inline struct cgroup_map make_MAP(struct maker *m)
{
	enum absence why = make_absence(m);

	return (struct cgroup_map){ why, why ? (struct keyed){} : make_keyed(m) };
}

static inline void make_cgroups(struct maker *m, struct snapshot *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct snapshot_cgroup cgroup = {};
		char path[64];

		snprintf(path, sizeof(path), "/made-%03zu.slice/\\x2d%s", i,
			 make_below(m, 8) ? "" : "\xff");
		cgroup.path = arena_strdup(m->arena, slice_of(path));
#define CGROUP_VALUE(group, name, form, ...) cgroup.stats.group##_##name = make_##form(m);
#include "sys/cgroup_stats.def"
#undef CGROUP_VALUE
		make_psi(m, &cgroup.stats.psi);
		vec_push(&s->cgroups, cgroup);
		if (make_below(m, 2))
			vec_push(&s->cgroups_absent,
				 (struct snapshot_cgroup_absent){ cgroup.path, "deleted" });
	}
}

static inline void make_summaries(struct maker *m, struct snapshot *s)
{
	s->probe = (struct probe_summary){ make_below(m, 2), make_u64(m), make_u64(m), make_u64(m),
					   make_u64(m) };
	if (make_below(m, 2))
		s->probe.dominant_failure = "ptrace-seize";
	s->parse =
		(struct parse_summary){ make_below(m, 2), make_u64(m), make_u64(m), make_keyed(m) };
	s->parse.kernel_config_dominant = make_below(m, 2);
	s->taskstats = (struct taskstats_summary){ make_below(m, 2), make_u64(m), make_u64(m),
						   make_u64(m), make_u64(m) };
}

static inline void make_capture(struct maker *m, struct snapshot *s)
{
	static const char *const names[] = { "walk", "taskstats", "write" };

	s->capture = (struct capture_cost){ .present = true,
					    .start_boottime_ns = make_u64(m),
					    .end_boottime_ns = make_u64(m),
					    .max_rss_kb = make_u64(m),
					    .engine = "procfs" };
	if (make_below(m, 2))
		s->capture.engine_fallback = "no BTF";
	for (size_t i = 0; i < make_below(m, 4); i++)
		vec_push(&s->capture.phases,
			 (struct snapshot_phase){ names[i], make_u64(m), make_u64(m) });
}

/* The tally that belongs to the threads, as a capture makes it. */
static inline void make_tally(struct snapshot *s)
{
	for (size_t reading = READING_NONE + 1; reading < READING_COUNT; reading++)
		for (enum absence why = ABSENCE_NONE + 1; why < ABSENCE_COUNT; why++) {
			uint64_t n = 0;

			for (size_t i = 0; i < s->threads.n; i++)
				n += s->threads.v[i].absent[reading] == why;
			if (n)
				vec_push(&s->absence, (struct snapshot_absence){
							      reading_name(reading), why, n });
		}
}

static inline int make_by_source(const void *a, const void *b)
{
	const struct snapshot_absence *x = a, *y = b;
	int order = strcmp(x->source, y->source);

	return order ? order : (int)x->reason - (int)y->reason;
}

static inline void make_snapshot(uint64_t seed, size_t threads, size_t cgroups, struct snapshot *s)
{
	struct maker m = { seed * 7919 + 1, &s->arena };

	s->captured_at_unix_ns = make_u64(&m);
	for (size_t i = 0; i < threads; i++) {
		vec_push(&s->threads, (struct thread){});
		make_thread(&m, &s->threads.v[i], 1000 + (uint32_t)i);
	}
	make_cgroups(&m, s, cgroups);
	make_summaries(&m, s);
	make_psi(&m, &s->psi);
	if (make_below(&m, 2))
		s->schedext.absence = ABSENCE_UNSUPPORTED;
	else
		s->schedext = (struct schedext){ .state = "enabled",
						 .nr_rejected = make_u64(&m),
						 .absent.enable_seq = ABSENCE_PERMISSION };
	s->boot_id = make_text(&m);
	s->pidns = make_u64(&m);
	make_tally(s);
	if (s->absence.n)
		qsort(s->absence.v, s->absence.n, sizeof(*s->absence.v), make_by_source);
	make_capture(&m, s);
}

#endif
