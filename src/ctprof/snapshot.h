/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Everything one capture saw: the content of a snapshot file. Text and arrays live in the arena of
 * the snapshot.
 */
#ifndef CTPROF_SNAPSHOT_H
#define CTPROF_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "ctprof/thread.h"
#include "sys/cgroup_stats.h"
#include "sys/hostctx.h"
#include "sys/psi.h"
#include "sys/schedext.h"
#include "util/absence.h"
#include "util/arena.h"
#include "util/vec.h"

#define SNAPSHOT_SCHEMA  "ctprof"
#define SNAPSHOT_VERSION 1

struct snapshot_cgroup {
	const char *path; /* verbatim, as the threads have it */
	struct cgroup_stats stats;
};

/* A cgroup of some thread that has no entry among the stats. */
struct snapshot_cgroup_absent {
	const char *path;
	const char
		*reason; /* "deleted", "outside namespace", "not mounted", or a name of absence.h */
};

struct probe_summary {
	bool present; /* null in the file otherwise; so for the other summaries */
	uint64_t tgids_walked, jemalloc_detected, probed_ok, failed;
	const char *dominant_failure; /* NULL: none */
	bool privilege_dominant;
};

/* Files whose failures are tallied, ascending. */
#define PARSE_FILES(X) X(cgroup) X(io) X(sched) X(schedstat) X(smaps_rollup) X(stat) X(status)

enum parse_file {
#define X(name) PARSE_FILE_##name,
	PARSE_FILES(X)
#undef X
	PARSE_FILE_COUNT
};

struct parse_summary {
	bool present;
	uint64_t tids_walked, read_failures;
	struct keyed read_failures_by_file; /* without zeros */
	const char *dominant_read_failure;  /* NULL: none */
	bool kernel_config_dominant;
	uint64_t negative_dotted_values;
};

struct taskstats_summary {
	bool present;
	uint64_t ok_count, eperm_count, esrch_count, other_err_count;
};

struct snapshot_phase {
	const char *name;
	uint64_t wall_ns, cpu_ns;
};

/* What the capture itself cost, and how it was made. */
struct capture_cost {
	bool present;
	uint64_t start_boottime_ns, end_boottime_ns;
	VEC(struct snapshot_phase) phases;
	uint64_t max_rss_kb;
	const char *engine;          /* "procfs", "bpf" */
	const char *engine_fallback; /* why not the better one; NULL: it is the one asked for */
};

/* How often which source was absent for which reason; kept sorted by source, then by the order of
 * enum absence. Sources are the names of readings (reading_name()) and of the parts of a snapshot
 * that belong to no thread ("psi", "schedext", "host", "cgroup_stats"). */
struct snapshot_absence {
	const char *source;
	enum absence reason;
	uint64_t count;
};

struct snapshot {
	/* The nine members of the seeds. */
	uint64_t captured_at_unix_ns;
	struct hostctx *host;       /* in the arena; snapshot_done() ends it. NULL: synthetic */
	VEC(struct thread) threads; /* by tgid, then tid */
	VEC(struct snapshot_cgroup) cgroups; /* by path */
	struct probe_summary probe;
	struct parse_summary parse;
	struct taskstats_summary taskstats;
	struct psi psi;
	struct schedext schedext; /* null in the file when UNSUPPORTED */

	/* What we add. */
	const char *schema_name; /* NULL in files of others */
	uint64_t schema_version;
	const char *boot_id; /* "" when unknown */
	uint64_t pidns;      /* inode of the pid namespace; 0 when unknown */
	struct capture_cost capture;
	VEC(struct snapshot_absence) absence;
	VEC(struct snapshot_cgroup_absent) cgroups_absent; /* by path */

	/* Of a capture, not of the file: no system call could be made about its threads. */
	bool only_files;

	struct arena arena;
};

#define SNAPSHOT_INIT                                                                              \
	{                                                                                          \
	}

void snapshot_done(struct snapshot *s);

/* How many processes its threads belong to. */
size_t snapshot_processes(const struct snapshot *s);

/* By source, then by reason: both ascend by name. */
int snapshot_compare_absence(const struct snapshot_absence *a, const struct snapshot_absence *b);
void snapshot_sort_absence(struct snapshot *s);

/* The reason in the words of absence.h: ENDED for a group that was deleted, PERMISSION for one
 * outside of our namespace, UNSUPPORTED for one that is not mounted. */
enum absence snapshot_cgroup_absence(const struct snapshot_cgroup_absent *absent);

#endif
