/* SPDX-License-Identifier: GPL-2.0-only */
/* What writing a snapshot costs once it is in memory. */
#ifndef BENCH_CAPTURE_WRITE_H
#define BENCH_CAPTURE_WRITE_H

#include <stddef.h>

#include "util/compiler.h"
#include "util/err.h"

struct write_cost {
	double json_ms, zstd_ms; /* CPU */
	double json_mb, file_mb;
	size_t threads; /* in the snapshot */
};

/* Writes the snapshot at @path again and again, to nowhere: the median round by the ratio of the
 * two costs. First as it is, then with its counters filled as those of threads that have run for
 * long: the zeros of threads that never did anything cost a compressor next to nothing. */
_must_check_ int measure_write(const char *path, struct write_cost *ret_idle,
			       struct write_cost *ret_busy, struct err *err);

#endif
