/* SPDX-License-Identifier: GPL-2.0-only */
/* Running other programs, and what they cost. */
#ifndef BENCH_RUNS_H
#define BENCH_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/compiler.h"
#include "util/err.h"

struct run {
	double wall_ms;
	double cpu_ms; /* user and system, of the program and the children it waited for */
	double rss_mib;
};

/* Whether @name, to be found by PATH, can be run. */
bool run_exists(const char *name);

/* Runs to the end, its standard output going to /dev/null. Any exit but 0 is a failure. */
_must_check_ int run_program(char *const *argv, struct run *ret, struct err *err);

/* Median of each figure by itself, of @n >= 1 runs. */
struct run run_medians(const struct run *runs, size_t n);

/* What keeps the processors busy apart from us and the programs we ran: they slow down most whoever
 * uses several processors at once. */
struct others {
	double wall_ms, busy_ms, ours_ms;
};

void others_begin(struct others *since);
/* The share of all processors that others had since then, 0 to 1. */
double others_share(const struct others *since);

/* How many system calls a program makes from its first instruction on, in all its threads and
 * children, as ptrace tells; otherwise as run_program(). -EPERM also where tracing is forbidden. */
_must_check_ int run_count_syscalls(char *const *argv, uint64_t *ret, struct err *err);

#endif
