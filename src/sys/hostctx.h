/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The host a measurement was taken on: kernel, CPU, memory and the tunables that change how
 * scheduling behaves. Each member is there or says why it is not. The host's name is deliberately
 * not kept. Text is bytes from outside without NUL; writers escape it.
 */
#ifndef SYS_HOSTCTX_H
#define SYS_HOSTCTX_H

#include <stdbool.h>
#include <stdint.h>

#include "sys/numa.h"
#include "util/absence.h"
#include "util/arena.h"
#include "util/root.h"
#include "util/vec.h"
#include "json/reader.h"
#include "json/writer.h"

struct host_text {
	enum absence absent;
	const char *s; /* "" when absent */
};

struct host_u64 {
	enum absence absent;
	uint64_t v;
};

struct host_entry {
	const char *key;
	enum absence absent; /* the map is there, this entry could not be read */
	const char *value;   /* "" when absent */
};

struct host_map {
	enum absence absent;
	VEC(struct host_entry) entries;
};

struct hostctx {
#define HOST(type, member, ...) struct host_##type member;
#include "sys/hostctx.def"
#undef HOST
	struct numa numa; /* no nodes when the kernel has no NUMA support */
	enum absence numa_absent;
	struct arena arena;
};

enum host_member_id {
#define HOST(type, member, ...) HOST_##member,
#include "sys/hostctx.def"
#undef HOST
	HOST_COUNT
};

enum host_type {
	HOST_TYPE_text,
	HOST_TYPE_u64,
	HOST_TYPE_map,
};

struct host_member {
	const char *name;
	size_t offset;     /* in struct hostctx */
	const char *entry; /* maps: what stands before a key in text */
	enum host_type type;
	bool omit_empty; /* maps: an empty one is left out of JSON */
};

/* In the order of the JSON form, which is the order of the list. */
extern const struct host_member host_members[HOST_COUNT];

/* Members in the order of the text form. */
extern const enum host_member_id host_lines[HOST_COUNT];

/* The member of @host as a struct host_text, host_u64 or host_map, as its type says. */
static inline const void *host_get(const struct hostctx *host, const struct host_member *member)
{
	return (const char *)host + member->offset;
}

/* Never fails: what cannot be read is absent. */
void hostctx_read(const struct root *root, struct hostctx *ret);
void hostctx_done(struct hostctx *host);

/* One object as the next value of @w: absent members left out, then `numa`, then `absent` with the
 * reason of each missing member and map entry ("sched_tunables.KEY"). */
void hostctx_json(const struct hostctx *host, struct json_writer *w);

/* The next value of @r, an object as hostctx_json() writes it or as others do: sizes may end in
 * `_kib`. What is missing without a reason is ABSENCE_ERROR. @ret is initialised here and needs
 * hostctx_done() in any case. 0 or <0 as the reader has it. */
_must_check_ int hostctx_json_read(struct json_reader *r, struct hostctx *ret);

#endif
