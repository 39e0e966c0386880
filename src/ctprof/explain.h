/* SPDX-License-Identifier: GPL-2.0-only */
/* What a capture says when it is done: what it got, what it did not get, and what helps. Pure. */
#ifndef CTPROF_EXPLAIN_H
#define CTPROF_EXPLAIN_H

#include "ctprof/capture.h"
#include "ctprof/snapshot.h"
#include "util/strv.h"

/* Appends "123 threads of 45 processes in 6 cgroups". */
void explain_counts(const struct snapshot *s, struct strbuf *out);

/* Adds one line each for what the summaries say, and for each group of sources that are absent for
 * one reason. What @options left out on purpose is not mentioned. */
void explain_capture(const struct snapshot *s, const struct capture_options *options,
		     struct strv *lines);

#endif
