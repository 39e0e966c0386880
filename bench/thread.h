/* SPDX-License-Identifier: GPL-2.0-only */
/* A snapshot of threads for the JSON benchmark: made up, written and read back by us. */
#ifndef BENCH_THREAD_H
#define BENCH_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/arena.h"
#include "util/slice.h"
#include "util/strbuf.h"
#include "util/vec.h"
#include "json/reader.h"

struct cpus {
	uint32_t *v;
	size_t n;
};

struct size_entry {
	struct slice key;
	uint64_t kb;
};

struct sizes {
	struct size_entry *v;
	size_t n;
};

typedef uint64_t member_U64;
typedef uint32_t member_U32;
typedef int32_t member_I32;
typedef bool member_BOOL;
typedef struct slice member_TEXT;
typedef struct cpus member_CPUS;
typedef struct sizes member_SIZES;

struct thread {
#define MEMBER(type, name) member_##type name;
#include "thread.def"
#undef MEMBER
};

struct snapshot {
	struct arena arena;
	VEC(struct thread) threads;
};

/* The same threads every time. */
void snapshot_make(struct snapshot *s, size_t threads);
void snapshot_done(struct snapshot *s);

void snapshot_write(const struct snapshot *s, struct strbuf *out);
/* Reads what is at @r into the empty @s. 0 or <0. */
int snapshot_read(struct json_reader *r, struct snapshot *s);

#endif
