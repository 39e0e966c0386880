// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "record/machine.h"
#include "util/cleanup.h"

static struct machine parsed(const char *text)
{
	struct machine m;
	struct err err;

	if (machine_parse(text, &m, &err) < 0)
		fail_msg("%s: %s", text, err.text);
	return m;
}

static void every_preset_has_its_size(void **state)
{
	static const struct {
		const char *name, *shape;
		unsigned cpus;
	} rows[] = {
		{ "tiny-1llc", "1n1l4c1t", 4 },
		{ "tiny-2llc", "1n2l2c1t", 4 },
		{ "odd-3llc", "1n3l3c1t", 9 },
		{ "odd-5llc", "1n5l3c1t", 15 },
		{ "odd-7llc", "1n7l2c1t", 14 },
		{ "smt-2llc", "1n2l2c2t", 8 },
		{ "smt-3llc", "1n3l2c2t", 12 },
		{ "medium-4llc", "1n4l4c2t", 32 },
		{ "medium-8llc", "1n8l4c2t", 64 },
		{ "large-4llc", "1n4l16c2t", 128 },
		{ "large-8llc", "1n8l8c2t", 128 },
		{ "near-max-llc", "1n15l8c2t", 240 },
		{ "max-cpu", "1n14l9c2t", 252 },
		{ "medium-4llc-nosmt", "1n4l8c1t", 32 },
		{ "medium-8llc-nosmt", "1n8l8c1t", 64 },
		{ "large-4llc-nosmt", "1n4l32c1t", 128 },
		{ "large-8llc-nosmt", "1n8l16c1t", 128 },
		{ "near-max-llc-nosmt", "1n15l16c1t", 240 },
		{ "max-cpu-nosmt", "1n14l18c1t", 252 },
		{ "numa2-4llc", "2n4l4c1t", 16 },
		{ "numa2-8llc", "2n8l8c2t", 128 },
		{ "numa2-8llc-nosmt", "2n8l16c1t", 128 },
		{ "numa4-8llc", "4n8l4c1t", 32 },
		{ "numa4-12llc", "4n12l8c2t", 192 },
	};

	(void)state;
	assert_int_equal(machine_preset_count, ARRAY_SIZE(rows));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(strbuf_done) struct strbuf shape = STRBUF_INIT;
		struct machine m = parsed(rows[i].name);
		struct err err;

		machine_format(&m, &shape);
		if (strcmp(machine_presets[i].name, rows[i].name) != 0 ||
		    strcmp(shape.s, rows[i].shape) != 0 || machine_cpus(&m) != rows[i].cpus)
			fail_msg("%s: %s with %u CPUs", rows[i].name, shape.s, machine_cpus(&m));
		if (machine_check(&m, &err) < 0)
			fail_msg("%s: %s", rows[i].name, err.text);
	}
}

static void all_ways_to_write_a_machine_mean_the_same(void **state)
{
	static const char *const ways[] = { "numa4-12llc", "4,12,8,2", "4n12l8c2t" };
	struct machine first = parsed(ways[0]);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		struct machine m = parsed(ways[i]);

		assert_int_equal(m.nodes, 4);
		for (unsigned n = 0; n < 4; n++)
			assert_int_equal(m.node[n].llcs, 3);
		assert_int_equal(m.node[4].llcs, 0);
		assert_memory_equal(&m, &first, sizeof(m));
	}
}

static void what_is_no_machine_is_named(void **state)
{
	static const struct {
		const char *what, *text, *want;
	} rows[] = {
		{ "a swap in a name", "tiny-2lcl",
		  "no preset 'tiny-2lcl' (did you mean 'tiny-2llc'?)" },
		{ "the beginning of a name", "numa4",
		  "no preset 'numa4' (did you mean 'numa4-8llc'?)" },
		{ "a name in capitals", "Odd-3llc",
		  "no preset 'Odd-3llc' (did you mean 'odd-3llc'?)" },
		{ "nothing like a name", "zebra",
		  "'zebra' is neither a preset nor like '1,2,4,2' or '1n2l4c2t' (nodes, LLCs, "
		  "cores of "
		  "an LLC, threads of a core)" },
		{ "nothing", "",
		  "'' is neither a preset nor like '1,2,4,2' or '1n2l4c2t' (nodes, LLCs, cores of "
		  "an "
		  "LLC, threads of a core)" },
		{ "three numbers", "1,2,4", "machine '1,2,4': how many threads?" },
		{ "five numbers", "1,2,4,2,1",
		  "machine '1,2,4,2,1': number of threads: digits only" },
		{ "an empty number", "1,,4,2", "machine '1,,4,2': number of LLCs: digits only" },
		{ "a comma at the end", "1,2,4,", "machine '1,2,4,': how many threads?" },
		{ "a comma too many", "1,2,4,2,",
		  "machine '1,2,4,2,': number of threads: digits only" },
		{ "blanks", "1, 2, 4, 2", "machine '1, 2, 4, 2': number of LLCs: digits only" },
		{ "a sign", "1,-2,4,2", "machine '1,-2,4,2': number of LLCs: digits only" },
		{ "only a number", "4", "machine '4': how many nodes?" },
		{ "letters in another order", "1l2n4c2t",
		  "machine '1l2n4c2t': number of nodes: digits only" },
		{ "no threads", "1n2l4c", "machine '1n2l4c': how many threads?" },
		{ "more behind", "1n2l4c2tx", "machine '1n2l4c2tx': more behind the threads" },
		{ "capital letters", "1N2L4C2T", "machine '1N2L4C2T': how many nodes?" },
		{ "zero", "1,0,4,2", "machine '1,0,4,2': number of LLCs: from 1 to 255" },
		{ "too many nodes", "17,17,1,1",
		  "machine '17,17,1,1': number of nodes: from 1 to 16" },
		{ "a number beyond 64 bits", "1,99999999999999999999,1,1",
		  "machine '1,99999999999999999999,1,1': number of LLCs: from 1 to 255" },
		{ "uneven", "2n3l1c1t",
		  "machine '2n3l1c1t': 3 LLCs cannot be shared out evenly among 2 nodes" },
		{ "256 CPUs", "1,16,16,1",
		  "machine '1,16,16,1': 16 LLCs of 16 cores of 1 threads: a machine has at most "
		  "255 "
		  "CPUs" },
		{ "16,581,375 CPUs", "1,255,255,255",
		  "machine '1,255,255,255': 255 LLCs of 255 cores of 255 threads: a machine has at "
		  "most 255 CPUs" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct machine m = { .nodes = 77 };
		struct err err = {};

		if (machine_parse(rows[i].text, &m, &err) != -EINVAL ||
		    strcmp(err.text, rows[i].want) != 0)
			fail_msg("%s: '%s'", rows[i].what, err.text);
		assert_int_equal(m.nodes, 77);
		assert_int_equal(machine_parse(rows[i].text, &m, NULL), -EINVAL);
	}
}

static void the_largest_machine_is_one(void **state)
{
	(void)state;
	parsed("1,255,1,1");
	parsed("1,1,255,1");
	parsed("1,1,1,255");
	parsed("15,15,17,1");
	parsed("16n16l1c1t");
}

/* 2 nodes with CPUs and one without. */
static struct machine by_hand(void)
{
	return (struct machine){
		.nodes = 3,
		.llcs = 3,
		.cores = 2,
		.threads = 1,
		.node = { { .llcs = 2, .memory_mb = 512 },
			  { .llcs = 1, .latency_ns = 90, .bandwidth_mbs = 40000 },
			  { .memory_mb = 1024, .latency_ns = 300, .side_cache_mb = 64 } },
		.has_distances = true,
		.distance = { { 10, 21, 31 }, { 21, 10, 17 }, { 31, 17, 10 } },
	};
}

static void a_machine_by_hand_is_checked(void **state)
{
	struct machine m = by_hand();
	struct err err;

	(void)state;
	assert_int_equal(machine_check(&m, &err), 0);

#define REFUSED(change, want)                                                                      \
	do {                                                                                       \
		m = by_hand();                                                                     \
		change;                                                                            \
		assert_int_equal(machine_check(&m, &err), -EINVAL);                                \
		assert_string_equal(err.text, want);                                               \
	} while (0)
	REFUSED(m.nodes = 0, "0 nodes: a machine has 1 to 16");
	REFUSED(m.nodes = 17, "17 nodes: a machine has 1 to 16");
	REFUSED(m.cores = 0, "3 LLCs of 0 cores of 1 threads: none of them may be 0");
	REFUSED(m.threads = 1u << 31,
		"3 LLCs of 2 cores of 2147483648 threads: a machine has at most 255 CPUs");
	REFUSED(m.llcs = m.cores = m.threads = UINT32_MAX,
		"4294967295 LLCs of 4294967295 cores of 4294967295 threads: a machine has at most "
		"255 CPUs");
	REFUSED(m.node[2].llcs = 1, "the nodes have 4 LLCs, the machine 3");
	REFUSED(m.nodes = 1, "the nodes have 2 LLCs, the machine 3");
	REFUSED(m.node[0].memory_mb = MACHINE_NODE_MB_MAX + 1,
		"node 0: 1048577 MiB of memory: at most 1048576");
	REFUSED(m.node[1].latency_ns = 65535, "node 1: latency of 65535 ns: at most 65534");
	REFUSED(m.node[2].side_cache_mb = MACHINE_NODE_MB_MAX + 1,
		"node 2: memory-side cache of 1048577 MiB: at most 1048576");
	REFUSED(m.node[2].latency_ns = 0,
		"node 2: a memory-side cache, but no latency of the memory");
	REFUSED(m.distance[1][1] = 11, "distance of node 1 to itself is 11, not 10");
	REFUSED(m.distance[2][2] = 0, "distance of node 2 to itself is 0, not 10");
	REFUSED(m.distance[0][2] = 10, "distance from node 0 to node 2 is 10, not above 10");
	REFUSED(m.distance[1][0] = 22, "distance from node 0 to node 1 is 21, back it is 22");
#undef REFUSED

	m.has_distances = false;
	assert_int_equal(machine_check(&m, &err), 0);
	assert_int_equal(machine_distance(&m, 1, 1), 10);
	assert_int_equal(machine_distance(&m, 0, 2), 20);
}

static void packages_stay_within_nodes(void **state)
{
	static const struct {
		const char *text;
		unsigned package_llcs, max_apic_id;
	} rows[] = {
		{ "tiny-1llc", 1, 3 },
		{ "odd-3llc", 3, 2 << 2 | 2 },
		{ "smt-3llc", 3, 2 << 2 | 3 },
		{ "near-max-llc", 15, 239 },
		{ "near-max-llc-nosmt", 15, 239 },
		{ "max-cpu", 14, 13 << 5 | 8 << 1 | 1 },
		{ "max-cpu-nosmt", 14, 13 << 5 | 17 },
		{ "numa2-8llc", 4, 127 },
		{ "numa4-12llc", 3, 3 << 6 | 2 << 4 | 15 },
	};
	struct machine uneven = by_hand();

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct machine m = parsed(rows[i].text);

		if (machine_package_llcs(&m) != rows[i].package_llcs ||
		    machine_max_apic_id(&m) != rows[i].max_apic_id)
			fail_msg("%s: %u LLCs a package, ids up to %u", rows[i].text,
				 machine_package_llcs(&m), machine_max_apic_id(&m));
	}
	assert_int_equal(machine_package_llcs(&uneven), 1);
	assert_int_equal(machine_max_apic_id(&uneven), 2 << 1 | 1);
}

static void two_presets_only_need_more_than_eight_bits_of_apic_id(void **state)
{
	unsigned beyond = 0;

	(void)state;
	for (unsigned i = 0; i < machine_preset_count; i++) {
		struct machine m = parsed(machine_presets[i].name);

		beyond += machine_max_apic_id(&m) > 255;
	}
	assert_int_equal(beyond, 2);
}

static void memory_is_what_cpus_nodes_caller_and_initramfs_take(void **state)
{
	static const struct {
		const char *what, *machine;
		struct machine_memory needs;
		uint64_t want;
	} rows[] = {
		{ "asked", "odd-5llc", { 2048 }, 2048 },
		{ "asked is what the CPUs take", "medium-4llc", { 2048 }, 2048 },
		{ "CPUs take more than asked", "medium-8llc", { 2048 }, 4096 },
		{ "192 CPUs", "numa4-12llc", { 2048 }, 12288 },
		{ "240 CPUs", "near-max-llc", { 2048 }, 15360 },
		{ "252 CPUs", "max-cpu", { 2048 }, 16128 },
		{ "nothing asked", "tiny-1llc", {}, 256 },
		{ "nothing asked, one CPU", "1,1,1,1", {}, 256 },
		{ "an initramfs", "tiny-1llc", { 0, 100, 30, 50 }, 452 },
		{ "an initramfs whose parts divide evenly", "tiny-1llc", { 0, 90, 36, 63 }, 459 },
		{ "an initramfs in what was asked", "tiny-1llc", { 453, 100, 30, 50 }, 453 },
	};
	struct machine m = by_hand();

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct machine of = parsed(rows[i].machine);
		uint64_t got = machine_memory_mb(&of, &rows[i].needs);

		if (got != rows[i].want)
			fail_msg("%s: %llu MiB", rows[i].what, (unsigned long long)got);
	}
	/* 512 and 1024 were told, the third gets 64; 6 CPUs take less. */
	assert_int_equal(machine_memory_mb(&m, &(struct machine_memory){ .asked_mb = 300 }), 1600);
	/* Now the CPUs have 384, and the node without any brings 1024. */
	m.node[0].memory_mb = 0;
	assert_int_equal(machine_memory_mb(&m, &(struct machine_memory){}), 1408);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_preset_has_its_size),
		cmocka_unit_test(all_ways_to_write_a_machine_mean_the_same),
		cmocka_unit_test(what_is_no_machine_is_named),
		cmocka_unit_test(the_largest_machine_is_one),
		cmocka_unit_test(a_machine_by_hand_is_checked),
		cmocka_unit_test(packages_stay_within_nodes),
		cmocka_unit_test(two_presets_only_need_more_than_eight_bits_of_apic_id),
		cmocka_unit_test(memory_is_what_cpus_nodes_caller_and_initramfs_take),
	};

	return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
