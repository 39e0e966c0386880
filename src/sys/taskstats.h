/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel's taskstats interface: per-thread accounting over generic netlink. Asks this machine,
 * so it is for live roots only. Each call waits for a second at most: -ETIMEDOUT. One link serves
 * one thread at a time.
 */
#ifndef SYS_TASKSTATS_H
#define SYS_TASKSTATS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/compiler.h"
#include "util/slice.h"
#include "util/strbuf.h"

struct taskstats_link {
	int fd;
	uint16_t family;
	uint32_t seq; /* of the last request: the answer carries it, too */
};

#define TASKSTATS_LINK_INIT                                                                        \
	{                                                                                          \
		.fd = -1                                                                           \
	}

/* 0; -ENOENT when the kernel shows no such family: it is not built in, or an old kernel hides it
 * from our network namespace; -errno. */
_must_check_ int taskstats_open(struct taskstats_link *link);
void taskstats_close(struct taskstats_link *link);

/* Replaces what @out holds by the struct taskstats of one thread, as long as this kernel makes it;
 * its first two bytes are the version. 0; -EPERM without CAP_NET_ADMIN; -ESRCH; -EBADMSG
 * also when the answer is about another thread; -errno. After a failure the link stays good. */
_must_check_ int taskstats_get(struct taskstats_link *link, pid_t tid, struct strbuf *out);

enum delay_kind {
#define DELAY(id, name) DELAY_##id,
#include "sys/delays.def"
#undef DELAY
	DELAY_COUNT
};

struct delay {
	uint64_t count, total_ns;
	uint64_t max_ns, min_ns; /* of single delays; zero when none was seen */
	bool known;              /* this kernel's layout has count and total */
	bool extrema_known; /* it has max and min, too; a layout with max alone gives just that */
};

/* What we take from the struct; which layout it has tell its version and its size. */
struct taskstats_values {
	struct delay delay[DELAY_COUNT];
	uint64_t hiwater_rss_kb, hiwater_vm_kb;
	bool hiwater_known;
	uint16_t version;
};

/* @stats is what taskstats_get() gives. 0, or -EBADMSG when it is too short for a version. Of a
 * size that its version is not known to have, what the version is known to begin with is read; what
 * lies behind the end is not known. */
_must_check_ int taskstats_decode(struct slice stats, struct taskstats_values *ret);

#define TASKSTATS_BATCH 64

struct taskstats_answer {
	int code; /* 0, or as taskstats_get() fails; -ETIMEDOUT when none came */
	struct taskstats_values values;
};

/* Asks about @n threads (at most TASKSTATS_BATCH) in one send. Every answer is written. Whatever
 * fails, the link stays good. */
void taskstats_get_many(struct taskstats_link *link, const pid_t *tids, size_t n,
			struct taskstats_answer *ret);

#endif
