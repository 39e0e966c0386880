/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to the JSON form of snapshots: what reading needs besides the reader. It is the context
 * of every json_custom here. Functions return 0 or <0 and fail through the reader.
 */
#ifndef CTPROF_LOADER_H
#define CTPROF_LOADER_H

#include "ctprof/notes.h"
#include "ctprof/snapshot.h"
#include "util/intern.h"
#include "json/reader.h"

#define LOADER_REASONS 32

struct loader {
	struct snapshot *s;
	struct snapshot_notes *notes; /* may be NULL */
	struct intern pool;
	uint64_t bytes; /* of the result so far, texts not counted */
	/* The thread being read and the one before it, whose values it mostly shares. */
	const struct thread *thread, *previous;
	VEC(struct keyed_row) rows;           /* of the map being read */
	enum absence reasons[LOADER_REASONS]; /* of the cgroup being read */
	uint64_t words[CPUSET_MAX / 64];      /* of the set being read, zero otherwise */
};

/* Large: lives on the heap. */
struct loader *loader_new(struct snapshot *s, struct snapshot_notes *notes);
void loader_free(struct loader *l);
void loader_freep(struct loader **l);

/* The result grows by @bytes. A short text must not become a large result: `{}` is a thread of
 * almost a kilobyte. */
_must_check_ int loader_take(struct loader *l, struct json_reader *r, size_t bytes);

/* Adds an element to a vector of the result. */
#define loader_push(l, r, vec, ...)                                                                \
	({                                                                                         \
		int taken_ = loader_take((l), (r), sizeof(*(vec)->v));                             \
		if (taken_ == 0)                                                                   \
			vec_push((vec), __VA_ARGS__);                                              \
		taken_;                                                                            \
	})

/* A key or string that is kept; it may not hold a NUL byte. */
_must_check_ int loader_keep(struct loader *l, struct json_reader *r, struct slice text,
			     const char **ret);

/* A string; null leaves @ret as it is. */
_must_check_ int loader_text(struct loader *l, struct json_reader *r, const char **ret);

/* A reason for absence by its name; one that is not known counts as an error, with a note. */
enum absence loader_named_reason(struct loader *l, struct slice name);
_must_check_ int loader_reason(struct loader *l, struct json_reader *r, enum absence *ret);

/* Numbers by name; null leaves @ret as it is. */
_must_check_ int loader_keyed(struct loader *l, struct json_reader *r, struct keyed *ret);

/* An array of ids; null leaves @ret as it is. */
_must_check_ int loader_cpus(struct loader *l, struct json_reader *r, const struct cpuset **ret);

/* True when the value that is due is null, which is then read. Also true on failure. */
bool loader_null(struct json_reader *r);

#endif
