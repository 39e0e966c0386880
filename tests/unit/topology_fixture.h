/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TESTS_TOPOLOGY_FIXTURE_H
#define TESTS_TOPOLOGY_FIXTURE_H

#include "unit.h"

#include <stdio.h>

#include "sys/topology.h"
#include "util/cleanup.h"

/* The machine of tests/fixtures/@name; needs topology_done(). */
static inline void read_fixture(const char *name, struct topology *ret)
{
	_cleanup_(root_close) struct root root = ROOT_INIT;
	char path[512];
	struct err err;

	snprintf(path, sizeof(path), FIXTURES "/%s", name);
	assert_int_equal(root_open(&root, path, &err), 0);
	assert_int_equal(topology_read(&root, ret, &err), 0);
}

#endif
