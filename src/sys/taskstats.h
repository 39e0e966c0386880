/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel's taskstats interface: per-thread accounting over generic netlink. Asks this machine,
 * so it is for live roots only. Each question is waited for a second at most: -ETIMEDOUT. One link
 * serves one thread at a time.
 */
#ifndef SYS_TASKSTATS_H
#define SYS_TASKSTATS_H

#include <stdint.h>
#include <sys/types.h>

#include "util/compiler.h"
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

#endif
