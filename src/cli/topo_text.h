/* SPDX-License-Identifier: GPL-2.0-only */
/* Phrases about a machine, shared by the ways in which `topo` shows it. */
#ifndef CLI_TOPO_TEXT_H
#define CLI_TOPO_TEXT_H

#include "sys/topology.h"
#include "util/strbuf.h"

/* Appends "32MiB": exact as long as that is short, else with one decimal. */
void topo_size_text(struct strbuf *out, uint64_t kb);

/* Appends "node 0, 62.8GiB, package 0". */
void topo_node_text(struct strbuf *out, const struct topology *t, size_t node);

/* Appends "LLC 0, L3 32MiB"; the package too where the node has several. */
void topo_llc_text(struct strbuf *out, const struct topology *t, const struct topo_llc *llc);

/* True when cores of the machine differ in capacity or clock. */
bool topo_has_classes(const struct topology *t);

/* The cores of an LLC from @first on that are of the class of the first one: how many. */
size_t topo_class_run(const struct topology *t, const struct topo_llc *llc, size_t first);

/* Appends "capacity 485, 1.42GHz" for the core; nothing when neither is known. */
void topo_class_text(struct strbuf *out, const struct topology *t, const struct topo_core *core);

#endif
