/* SPDX-License-Identifier: GPL-2.0-only */
/* The registry as tables: what `ktstr ctprof metric-list` prints. */
#ifndef CTPROF_CATALOG_H
#define CTPROF_CATALOG_H

#include "ctprof/registry.h"
#include "render/cell.h"

enum catalog_view {
	CATALOG_TAGS,
	CATALOG_SECTIONS,
	CATALOG_METRICS,
	CATALOG_DERIVED,
	CATALOG_COUNT
};

/* Fills all views; each needs view_done(). */
void catalog_views(struct view views[CATALOG_COUNT]);

/* Appends "[cfs-only] [SCHEDSTATS]": the class, [dead], then the gates. */
void metric_tags(const struct metric *metric, struct strbuf *out);

/* Appends "a / (a + b)" with the names of the inputs. */
void derived_formula(const struct derived *derived, struct strbuf *out);

#endif
