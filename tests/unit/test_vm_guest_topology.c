// SPDX-License-Identifier: GPL-2.0-only
#include "vm/guest_topology.h"

#include <errno.h>
#include <string.h>

#include "unit.h"
#include "util/cleanup.h"

static void what_differs_is_told(void **state)
{
	static const struct {
		const char *machine, *nodes, *cpu, *llc, *core, *node, *why;
	} rows[] = {
		{ "1,1,1,1", "0", "0", "0", "0", "0", NULL },
		{ "1,2,2,1", "0", "0,1,2,3", "7,7,9,9", "0,1,0,1", "0,0,0,0", NULL },
		{ "2,2,1,2", "0,1", "0,1,2,3", "0,0,1,1", "0,0,1,1", "0,0,1,1", NULL },
		{ "1,1,2,1", "0", "0", "0", "0", "0", "asked for 2 CPUs, the guest shows 1" },
		{ "2,2,1,1", "0", "0,1", "0,1", "0,1", "0,0",
		  "asked for 2 NUMA nodes, the guest shows 1" },
		{ "1,2,1,1", "0", "0,1", "0,0", "0,1", "0,0",
		  "asked for 2 last-level caches, the guest shows 1" },
		{ "1,2,2,1", "0", "0,1,2,3", "0,1,0,1", "0,1,2,3", "0,0,0,0",
		  "CPUs 0 and 1 do not share one last-level cache" },
		{ "1,1,2,2", "0", "0,1,2,3", "0,0,0,0", "0,1,2,3", "0,0,0,0",
		  "CPUs 0 and 1 do not share one core" },
		{ "1,1,4,1", "0", "0,1,2,3", "0,0,0,0", "0,0,1,1", "0,0,0,0",
		  "CPUs 0 and 1 share one core, asked for was that they do not" },
		{ "2,2,2,1", "0,1", "0,1,2,3", "0,0,1,1", "0,1,2,3", "0,1,1,1",
		  "CPUs 0 and 1 do not share one node" },
		{ "1,1,2,1", "0", "0,5", "0,0", "0,1", "0,0", "CPU 1 of the guest has the id 5" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
		struct err err = { "" };
		struct machine m;
		int r;

		strbuf_addf(
			&text,
			"{\"protocol\":1,\"topology\":{\"nodes\":[%s],\"cpu\":[%s],\"llc\":[%s],"
			"\"core\":[%s],\"node\":[%s]}}",
			rows[i].nodes, rows[i].cpu, rows[i].llc, rows[i].core, rows[i].node);
		assert_int_equal(machine_parse(rows[i].machine, &m, NULL), 0);
		r = guest_topology_check(&m, strbuf_slice(&text), &err);
		print_message("# %s: %s\n", rows[i].machine, err.text);
		assert_int_equal(r, rows[i].why ? -ERANGE : 0);
		if (rows[i].why)
			assert_non_null(strstr(err.text, rows[i].why));
	}
}

static void what_is_no_description_violates_the_protocol(void **state)
{
	static const char *const rows[] = {
		"",
		"{}",
		"[]",
		"{\"protocol\":2}",
		"{\"protocol\":1,\"topology\":{\"cpu\":[0,1],\"llc\":[0]}}",
		"{\"protocol\":1,\"topology\":{\"cpu\":[-1]}}",
	};
	struct machine m;

	(void)state;
	assert_int_equal(machine_parse("1,1,1,1", &m, NULL), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct err err = { "" };

		assert_int_equal(guest_topology_check(&m, slice_of(rows[i]), &err), -EPROTO);
		assert_true(err.text[0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_differs_is_told),
		cmocka_unit_test(what_is_no_description_violates_the_protocol),
	};

	return cmocka_run_group_tests_name("guest_topology", tests, NULL, NULL);
}
