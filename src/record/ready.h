/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a guest says of itself once it is up (the frame SRDY). As JSON:
 *
 *	{"protocol": 1, "kernel": "6.12.0", "boot_id": "...", "mem_total_kb": 249856,
 *	 "topology": {"nodes": [0, 1], "cpu": [0, 1], "llc": [0, 1], "core": [0, 1],
 *		      "node": [0, 1]},
 *	 "notes": ["..."]}
 *
 * The four lists about CPUs go together: the CPU at some place is in the LLC, core and node at the
 * same place of the others. "nodes" has those without CPUs too. What is not known is left out.
 */
#ifndef RECORD_READY_H
#define RECORD_READY_H

#include <stdint.h>

#include "util/compiler.h"
#include "util/err.h"
#include "util/slice.h"
#include "util/strv.h"
#include "util/vec.h"
#include "json/writer.h"

/* Changes when guest and host would misunderstand each other. */
#define READY_PROTOCOL 1u

/* The largest CONFIG_NR_CPUS there is. */
#define READY_LIST_MAX  8192u
#define READY_NOTES_MAX 256u
#define READY_BYTES_MAX (1024u * 1024)

struct ready_list {
	VEC(uint32_t) ids;
};

struct ready_topology {
	struct ready_list nodes;
	struct ready_list cpu, llc, core, node; /* of one length */
};

struct ready {
	uint32_t protocol;
	char *kernel;          /* release; NULL: not known */
	char *boot_id;         /* NULL: not known */
	uint64_t mem_total_kb; /* 0: not known */
	struct ready_topology topology;
	struct strv notes; /* what init could not do, in words */
};

#define READY_INIT                                                                                 \
	{                                                                                          \
	}

void ready_done(struct ready *ready);

/* As the next value of @w. */
void ready_json(const struct ready *ready, struct json_writer *w);

/* The payload of a frame, which may be anything. @ret is initialised here and needs ready_done() in
 * any case. 0, or -errno with what is wrong: not JSON, past a limit, lists of different lengths.
 * Another protocol is for the caller to judge. */
_must_check_ int ready_read(struct slice text, struct ready *ret, struct err *err);

#endif
