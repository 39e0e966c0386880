// SPDX-License-Identifier: GPL-2.0-only
#include "sys/topology.h"

#include "sys/topology_cpu.h"
#include "topology_fixture.h"
#include "tree.h"
#include "util/cleanup.h"

/* The hierarchy in one line: {node (LLC [core]) }. */
static void shape(const struct topology *t, struct strbuf *out)
{
	for (size_t n = 0; n < t->nodes.n; n++) {
		const struct topo_node *node = &t->nodes.v[n];

		strbuf_addch(out, '{');
		for (size_t l = node->first; l < node->first + node->n; l++) {
			const struct topo_llc *llc = &t->llcs.v[l];

			strbuf_addch(out, '(');
			for (size_t c = llc->first; c < llc->first + llc->n; c++) {
				const struct topo_core *core = &t->cores.v[c];

				strbuf_addch(out, '[');
				for (size_t i = 0; i < core->n; i++)
					strbuf_addf(out, "%s%u", i ? " " : "",
						    t->threads.v[core->first + i].cpu);
				strbuf_addch(out, ']');
			}
			strbuf_addch(out, ')');
		}
		strbuf_addch(out, '}');
	}
}

static void assert_shape(const struct topology *t, const char *expected)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

	shape(t, &text);
	assert_string_equal(text.s, expected);
}

static void assert_cpus(const struct cpuset *cpus, const char *expected)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

	cpuset_format(cpus, &text);
	assert_string_equal(text.s, expected);
}

static bool has_note(const struct topology *t, const char *part)
{
	for (size_t i = 0; i < t->notes.n; i++)
		if (strstr(t->notes.v[i], part))
			return true;
	return false;
}

static void a_server_has_nodes_llcs_cores_and_threads(void **state)
{
	_cleanup_(topology_done) struct topology t = {};

	(void)state;
	read_fixture("server-2n4l-smt", &t);
	assert_shape(&t, "{([0 32][1 33][2 34][3 35][4 36][5 37][6 38][7 39])"
			 "([8 40][9 41][10 42][11 43][12 44][13 45][14 46][15 47])}"
			 "{([16 48][17 49][18 50][19 51][20 52][21 53][22 54][23 55])"
			 "([24 56][25 57][26 58][27 59][28 60][29 61][30 62][31 63])}");
	assert_int_equal(t.n_llcs, 4);
	assert_int_equal(t.n_cores, 32);
	assert_int_equal(t.threads.n, 64);
	assert_int_equal(t.llcs.v[3].id, 3);
	assert_int_equal(t.llcs.v[3].level, 3);
	assert_int_equal(t.llcs.v[3].size_kb, 32768);
	assert_int_equal(t.cores.v[31].id, 31);
	assert_int_equal(t.threads.v[63].package, 1);
	assert_int_equal(t.threads.v[63].max_khz, 3900000);
	assert_int_equal(t.caches.n, 2);
	assert_int_equal(t.caches.v[0].level, 2);
	assert_int_equal(t.caches.v[0].count, 32);
	assert_int_equal(t.caches.v[1].count, 4);
	assert_true(t.has_numa);
	assert_int_equal(t.numa.nodes.v[0].distances.v[1], 32);
	assert_int_equal(t.notes.n, 0);
}

static void holes_and_offline_cpus_are_told_apart(void **state)
{
	_cleanup_(topology_done) struct topology t = {};

	(void)state;
	read_fixture("holes-offline", &t);
	assert_shape(&t, "{([0 8][1 9])}{([3][10])}{}");
	assert_cpus(&t.possible, "0-15");
	assert_cpus(&t.present, "0-3,8-11");
	assert_cpus(&t.online, "0-1,3,8-10");
	assert_cpus(&t.offline, "2,11");
	assert_cpus(&t.nodes.v[0].offline, "");
	assert_cpus(&t.nodes.v[1].offline, "2,11");
	assert_int_equal(t.numa.nodes.v[2].memory_kb, 67108864);
	assert_int_equal(t.notes.n, 0);
}

static void arm64_clusters_are_llcs_and_cores_differ(void **state)
{
	_cleanup_(topology_done) struct topology t = {};

	(void)state;
	read_fixture("arm64", &t);
	assert_shape(&t, "{([0][1][2][3])([4][5])}");
	assert_false(t.has_numa);
	assert_int_equal(t.numa.nodes.v[0].memory_kb, 3933120);
	assert_int_equal(t.llcs.v[0].level, 2);
	assert_int_equal(t.threads.v[0].capacity, 485);
	assert_int_equal(t.threads.v[4].capacity, 1024);
	assert_int_equal(t.threads.v[0].package, -1);
	assert_int_equal(t.caches.n, 4);
	assert_int_equal(t.caches.v[0].size_kb, 0);
	assert_int_equal(t.notes.n, 0);
}

static void the_recorded_machine_reads_without_notes(void **state)
{
	_cleanup_(topology_done) struct topology t = {};

	(void)state;
	read_fixture("this-machine", &t);
	assert_shape(&t, "{([0][1])}");
	assert_int_equal(t.llcs.v[0].size_kb, 32768);
	assert_int_equal(t.notes.n, 0);
}

static void contradictions_are_noted_and_every_online_cpu_has_one_place(void **state)
{
	_cleanup_(topology_done) struct topology t = {};

	(void)state;
	read_fixture("hostile", &t);
	assert_shape(&t, "{([0])([1])([2])([9])}{([3])}{}");
	assert_true(has_note(&t, "not in the list of present CPUs"));
	assert_true(has_note(&t, "no usable list of possible CPUs: unreadable"));
	assert_true(has_note(&t, "CPU 2 is missing from its own list of core siblings"));
	assert_true(has_note(&t, "CPU 3: cache index0 is not usable"));
	assert_true(has_note(&t, "CPU 9 is online but has no folder"));
	assert_true(has_note(&t, "node 7: no usable list of its CPUs"));
	assert_true(has_note(&t, "CPU 2 is listed in nodes 0 and 1"));
	assert_true(has_note(&t, "CPU 9 is listed in no node; shown in node 0"));
	assert_true(has_note(&t, "no cache information for CPUs 9"));
	assert_true(has_note(&t, "CPU 0 claims to share its core with CPUs 0-1"));
	assert_int_equal(t.llcs.v[3].source, TOPO_LLC_PACKAGE);
}

struct claims {
	const char *core, *llc; /* "": says nothing */
	int64_t package;
};

static void add_cpu(topo_cpus *cpus, unsigned id, const struct claims *claims)
{
	struct topo_cpu cpu = { .thread = { .cpu = id, .package = claims->package } };

	assert_int_equal(cpuset_parse(slice_of(claims->core), &cpu.core), 0);
	assert_int_equal(cpuset_parse(slice_of(claims->llc), &cpu.llc), 0);
	vec_push(cpus, cpu);
}

static void cpus_that_agree_stay_together(void **state)
{
	static const struct {
		const char *label;
		const char *nodes[3];
		struct claims cpus[5]; /* by id; ends without a core */
		const char *shape;
		size_t n_llcs, n_cores;
		const char *note; /* NULL: none at all */
	} cases[] = {
		{ "hybrid: an efficient core has no L3",
		  { "0-3" },
		  { { "0-1", "0-2" }, { "0-1", "0-2" }, { "2", "0-2" }, { "3", "3" } },
		  "{([0 1][2])([3])}",
		  2,
		  3,
		  NULL },
		{ "an LLC that spans nodes is one LLC in two places",
		  { "0-1", "2-3" },
		  { { "0", "0-3" }, { "1", "0-3" }, { "2", "0-3" }, { "3", "0-3" } },
		  "{([0][1])}{([2][3])}",
		  1,
		  4,
		  "LLC 0 spans nodes" },
		{ "a core that spans LLCs is one core in two places",
		  { "0-1" },
		  { { "0-1", "0" }, { "0-1", "1" } },
		  "{([0])([1])}",
		  2,
		  1,
		  "core 0 spans LLCs" },
		{ "no cache information: packages",
		  { "0-3" },
		  { { "0", "", 0 }, { "1", "", 1 }, { "2", "", 0 }, { "3", "", 1 } },
		  "{([0][2])([1][3])}",
		  2,
		  4,
		  "packages stand in for LLCs" },
		{ "no cache information, no package: nodes",
		  { "0,2", "1,3" },
		  { { "0", "", -1 }, { "1", "", -1 }, { "2", "", -1 }, { "3", "", -1 } },
		  "{([0][2])}{([1][3])}",
		  2,
		  4,
		  "packages stand in for LLCs" },
		{ "a CPU that says nothing is believed to be where others list it",
		  { "0-2" },
		  { { "0-1", "0-2" }, { "", "0-2" }, { "2", "" } },
		  "{([0 1][2])}",
		  1,
		  2,
		  NULL },
		{ "a CPU listed in two LLCs",
		  { "0-2" },
		  { { "0", "0-1" }, { "1", "1-2" }, { "2", "1-2" } },
		  "{([0])([1][2])}",
		  2,
		  3,
		  "CPU 0 claims to share its LLC with CPUs 0-1" },
		{ "the lowest CPU of a list disagrees, the others stay together",
		  { "0-2" },
		  { { "0", "0" }, { "1", "0-2" }, { "2", "0-2" } },
		  "{([0])([1][2])}",
		  2,
		  3,
		  "CPU 1 claims to share its LLC with CPUs 0-2" },
		{ "ids follow the picture when nodes interleave",
		  { "0,2", "1,3" },
		  { { "0", "0,2" }, { "1", "1,3" }, { "2", "0,2" }, { "3", "1,3" } },
		  "{([0][2])}{([1][3])}",
		  2,
		  4,
		  NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(topology_done) struct topology t = {};
		_cleanup_(topo_cpus_done) topo_cpus cpus = {};

		print_message("# %s\n", cases[i].label);
		for (unsigned n = 0; n < ARRAY_SIZE(cases[i].nodes) && cases[i].nodes[n]; n++) {
			struct numa_node node = { .id = n };

			assert_int_equal(cpuset_parse(slice_of(cases[i].nodes[n]), &node.cpus), 0);
			vec_push(&t.numa.nodes, node);
		}
		for (unsigned c = 0; cases[i].cpus[c].core; c++)
			add_cpu(&cpus, c, &cases[i].cpus[c]);
		topology_assemble(&t, &cpus);
		assert_shape(&t, cases[i].shape);
		assert_int_equal(t.n_llcs, cases[i].n_llcs);
		assert_int_equal(t.n_cores, cases[i].n_cores);
		assert_int_equal(t.notes.n > 0, cases[i].note != NULL);
		assert_true(!cases[i].note || has_note(&t, cases[i].note));
	}
}

static void without_any_online_cpu_there_is_no_topology(void **state)
{
	static const struct {
		const char *label, *online, *why;
	} cases[] = {
		{ "no list", NULL, "No such file or directory" },
		{ "an empty list", "", "it names none that Linux can have" },
		{ "binary", "\xff\xfe", "not a list of CPUs" },
		{ "a range too wide", "0-4294967295", "not a list of CPUs" },
		{ "ids no kernel has", "8192-9000", "it names none that Linux can have" },
		{ "a folder in its place", "/", "Is a directory" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct tree tree;
		struct topology t;
		struct err err;
		char text[256];

		print_message("# %s\n", cases[i].label);
		tree_init(&tree);
		if (cases[i].online && strcmp(cases[i].online, "/") == 0)
			tree_parents(&tree, "sys/devices/system/cpu/online/");
		else if (cases[i].online)
			tree_file(&tree, "sys/devices/system/cpu/online", cases[i].online);
		assert_int_equal(topology_read(&tree.root, &t, &err), -ENODATA);
		snprintf(text, sizeof(text),
			 "'%s/sys/devices/system/cpu/online' gives no online CPU: %s", tree.dir,
			 cases[i].why);
		assert_string_equal(err.text, text);
		tree_done(&tree);
	}
}

static void lists_alone_make_one_llc_and_notes_stay_few(void **state)
{
	struct tree tree;
	struct topology t;
	struct err err;

	(void)state;
	tree_init(&tree);
	tree_file(&tree, "sys/devices/system/cpu/online", "0-99,9000");
	assert_int_equal(topology_read(&tree.root, &t, &err), 0);
	assert_int_equal(t.threads.n, 100);
	assert_int_equal(t.n_llcs, 1);
	assert_int_equal(t.n_cores, 100);
	assert_true(t.notes.n < 20);
	assert_true(t.notes_left_out > 80);
	assert_true(has_note(&t, "from 8192 on"));
	topology_done(&t);
	tree_done(&tree);
}

static void without_the_list_cpus_with_a_topology_folder_are_online(void **state)
{
	struct tree tree;
	struct topology t;
	struct err err;

	(void)state;
	tree_init(&tree);
	tree_file(&tree, "sys/devices/system/cpu/cpu0/topology/core_cpus_list", "0\n");
	tree_file(&tree, "sys/devices/system/cpu/cpu1/online", "0\n");
	tree_file(&tree, "sys/devices/system/cpu/cpu2/topology/core_cpus_list", "2\n");
	assert_int_equal(topology_read(&tree.root, &t, &err), 0);
	assert_cpus(&t.online, "0,2");
	assert_cpus(&t.offline, "1");
	assert_cpus(&t.nodes.v[0].offline, "1");
	topology_done(&t);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_server_has_nodes_llcs_cores_and_threads),
		cmocka_unit_test(holes_and_offline_cpus_are_told_apart),
		cmocka_unit_test(arm64_clusters_are_llcs_and_cores_differ),
		cmocka_unit_test(the_recorded_machine_reads_without_notes),
		cmocka_unit_test(contradictions_are_noted_and_every_online_cpu_has_one_place),
		cmocka_unit_test(cpus_that_agree_stay_together),
		cmocka_unit_test(without_any_online_cpu_there_is_no_topology),
		cmocka_unit_test(lists_alone_make_one_llc_and_notes_stay_few),
		cmocka_unit_test(without_the_list_cpus_with_a_topology_folder_are_online),
	};

	return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
