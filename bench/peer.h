/* SPDX-License-Identifier: GPL-2.0-only */
/* The same work done with json-c; left out of a build that does not find it. */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "thread.h"

struct json_object;

struct json_object *peer_build(const struct snapshot *s);
/* The text belongs to the tree. */
struct slice peer_write(struct json_object *tree);
/* NULL when it does not parse. */
struct json_object *peer_parse(struct slice text);
void peer_free(struct json_object *tree);

#endif
