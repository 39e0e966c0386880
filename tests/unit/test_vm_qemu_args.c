// SPDX-License-Identifier: GPL-2.0-only
/*
 * The vectors are golden: tests/fixtures/qemu-args/CASE.args, one argument a line. UPDATE=1 writes
 * them; the diff is reviewed like code. tests/vm/qemu_accepts.py shows them to a real QEMU.
 */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "util/cleanup.h"
#include "util/root.h"
#include "vm/qemu_args.h"

#define GOLDEN FIXTURES "/qemu-args"

static const struct qemu_fds fds = {
	.qmp = 10,
	.channel = 11,
	.console = 12,
	.kernel = 13,
	.initrd = 14,
	.ram = { 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35 },
};

static void update_golden(const char *name, const struct strbuf *text)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;
	_cleanup_fclose_ FILE *file = NULL;

	strbuf_addf(&path, GOLDEN "/%s.args", name);
	file = fopen(path.s, "we");
	assert_non_null(file);
	assert_int_equal(fwrite(text->s, 1, text->len, file), text->len);
}

static void check_golden(const char *name, const struct strbuf *text)
{
	_cleanup_(root_close) struct root root = ROOT_INIT;
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT, want = STRBUF_INIT;
	const char *update = getenv("UPDATE");
	struct err err;

	if (update && strcmp(update, "1") == 0)
		update_golden(name, text);
	assert_int_equal(root_open(&root, GOLDEN, &err), 0);
	strbuf_addf(&path, "%s.args", name);
	if (root_read(&root, path.s, ROOT_CAP_FILE, &want) != 1)
		fail_msg("%s is missing; UPDATE=1 writes it", path.s);
	if (!slice_eq(strbuf_slice(text), strbuf_slice(&want)))
		fail_msg("%s: the arguments are now\n%s", path.s, text->s);
}

static void print_args(const struct vm_config *config, enum vm_accel accel,
		       const struct qemu_fds *of, struct strbuf *out)
{
	_cleanup_(strbuf_done) struct strbuf append = STRBUF_INIT;
	_cleanup_(strv_done) struct strv args = STRV_INIT;

	qemu_append(config, accel, &append);
	qemu_args(config, accel, of, append.s, &args);
	for (size_t i = 0; i < args.n; i++) {
		assert_null(strchr(args.v[i], '\n'));
		strbuf_addf(out, "%s\n", args.v[i]);
	}
}

static void golden(const char *name, struct vm_config config, enum vm_accel accel)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct err err;

	if (machine_check(config.machine, &err) < 0)
		fail_msg("%s: %s", name, err.text);
	if (!config.memory_mb)
		config.memory_mb = machine_memory_mb(config.machine, &(struct machine_memory){});
	print_args(&config, accel, &fds, &text);
	check_golden(name, &text);
}

static struct machine parsed(const char *text)
{
	struct machine m;
	struct err err;

	if (machine_parse(text, &m, &err) < 0)
		fail_msg("%s: %s", text, err.text);
	return m;
}

static void every_preset_has_its_vector(void **state)
{
	(void)state;
	for (unsigned i = 0; i < machine_preset_count; i++) {
		const char *name = machine_presets[i].name;
		struct machine m = parsed(name);
		bool emulated = !qemu_refuses(&m, VM_ACCEL_TCG)[0];

		golden(name, (struct vm_config){ .machine = &m, .patches_code = true },
		       emulated ? VM_ACCEL_TCG : VM_ACCEL_KVM);
	}
}

static void what_the_caller_chose_is_in_the_vector(void **state)
{
	struct machine two = parsed("1,1,2,1"), one = parsed("1,1,1,1"), smt = parsed("smt-2llc");

	(void)state;
	golden("own-kernel", (struct vm_config){ .machine = &two }, VM_ACCEL_TCG);
	golden("one-cpu", (struct vm_config){ .machine = &one, .patches_code = true },
	       VM_ACCEL_TCG);
	golden("kvm", (struct vm_config){ .machine = &smt, .patches_code = true }, VM_ACCEL_KVM);
	golden("caller",
	       (struct vm_config){ .machine = &two,
				   .memory_mb = 3000,
				   .qemu = "/opt/qemu 9/qemu",
				   .append = "numa_balancing=enable quiet",
				   .verbose = true },
	       VM_ACCEL_TCG);
}

static void without_an_initramfs_there_is_no_initrd(void **state)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct machine m = parsed("tiny-1llc");
	struct qemu_fds none = fds;

	(void)state;
	none.initrd = -1;
	print_args(&(struct vm_config){ .machine = &m, .memory_mb = 256, .append = "" },
		   VM_ACCEL_TCG, &none, &text);
	assert_null(strstr(text.s, "-initrd"));
	assert_non_null(strstr(text.s, "-kernel\n/proc/self/fd/13\n-append\n"));
	assert_string_equal(text.s + text.len - strlen(" loglevel=1\n"), " loglevel=1\n");
}

static void nodes_differ_in_cpus_memory_and_distance(void **state)
{
	const struct machine memory_only = {
		.nodes = 3,
		.llcs = 4,
		.cores = 2,
		.threads = 1,
		.node = { { .llcs = 2 }, { .llcs = 2 }, { .memory_mb = 512 } },
		.has_distances = true,
		.distance = { { 10, 21, 28 }, { 21, 10, 17 }, { 28, 17, 10 } },
	};
	const struct machine uneven = {
		.nodes = 3,
		.llcs = 3,
		.cores = 2,
		.threads = 2,
		.node = { { .llcs = 1, .memory_mb = 300 }, { .llcs = 2 }, {} },
	};

	(void)state;
	golden("memory-only", (struct vm_config){ .machine = &memory_only, .patches_code = true },
	       VM_ACCEL_TCG);
	golden("uneven",
	       (struct vm_config){ .machine = &uneven, .memory_mb = 1001, .patches_code = true },
	       VM_ACCEL_TCG);
}

static void the_speed_of_memory_is_told(void **state)
{
	const struct machine hmat = {
		.nodes = 3,
		.llcs = 2,
		.cores = 2,
		.threads = 1,
		.node = { { .llcs = 1, .latency_ns = 80 },
			  { .llcs = 1, .latency_ns = 81, .bandwidth_mbs = 300001 },
			  { .latency_ns = 250, .side_cache_mb = 64 } },
		.has_distances = true,
		.distance = { { 10, 21, 28 }, { 21, 10, 17 }, { 28, 17, 10 } },
	};
	const struct machine limits = {
		.nodes = 2,
		.llcs = 2,
		.cores = 1,
		.threads = 1,
		.node = { { .llcs = 1, .latency_ns = 65534, .bandwidth_mbs = UINT32_MAX },
			  { .llcs = 1, .latency_ns = 1, .bandwidth_mbs = 1 } },
		.has_distances = true,
		.distance = { { 10, 254 }, { 254, 10 } },
	};
	struct machine one = parsed("tiny-1llc");

	(void)state;
	one.node[0].latency_ns = 100;
	golden("hmat", (struct vm_config){ .machine = &hmat, .patches_code = true }, VM_ACCEL_TCG);
	golden("hmat-limits", (struct vm_config){ .machine = &limits, .patches_code = true },
	       VM_ACCEL_TCG);
	golden("hmat-one-node", (struct vm_config){ .machine = &one, .patches_code = true },
	       VM_ACCEL_TCG);
}

static void memory_of_nodes_adds_up(void **state)
{
	static const struct {
		const char *what;
		unsigned nodes;
		uint64_t told[4], all, want[4];
	} rows[] = {
		{ "one node", 1, {}, 256, { 256 } },
		{ "equal shares", 4, {}, 1024, { 256, 256, 256, 256 } },
		{ "no equal shares", 3, {}, 1000, { 333, 333, 334 } },
		{ "one told", 3, { 0, 512 }, 1024, { 256, 512, 256 } },
		{ "all told", 2, { 100, 200 }, 300, { 100, 200 } },
		{ "all told and more", 2, { 100, 200 }, 350, { 150, 200 } },
		{ "told more than there is", 3, { 100, 200 }, 250, { 100, 150, 0 } },
		{ "told all that there is", 3, { 100, 150 }, 250, { 100, 150, 0 } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct machine m = { .nodes = rows[i].nodes };
		uint64_t mb[MACHINE_NODES_MAX], sum = 0;

		for (unsigned n = 0; n < rows[i].nodes; n++)
			m.node[n].memory_mb = rows[i].told[n];
		qemu_node_memory(&(struct vm_config){ .machine = &m, .memory_mb = rows[i].all },
				 mb);
		for (unsigned n = 0; n < MACHINE_NODES_MAX; n++) {
			if (mb[n] != (n < 4 ? rows[i].want[n] : 0))
				fail_msg("%s: node %u has %llu", rows[i].what, n,
					 (unsigned long long)mb[n]);
			sum += mb[n];
		}
		assert_int_equal(sum, rows[i].all);
	}
}

static void what_emulation_cannot_run_is_refused(void **state)
{
	(void)state;
	for (unsigned i = 0; i < machine_preset_count; i++) {
		struct machine m = parsed(machine_presets[i].name);
		bool largest = strncmp(machine_presets[i].name, "max-cpu", 7) == 0;

		assert_string_equal(qemu_refuses(&m, VM_ACCEL_KVM), "");
		assert_string_equal(qemu_refuses(&m, VM_ACCEL_TCG),
				    largest ? "APIC ids above 255 need KVM" : "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_preset_has_its_vector),
		cmocka_unit_test(what_the_caller_chose_is_in_the_vector),
		cmocka_unit_test(without_an_initramfs_there_is_no_initrd),
		cmocka_unit_test(nodes_differ_in_cpus_memory_and_distance),
		cmocka_unit_test(the_speed_of_memory_is_told),
		cmocka_unit_test(memory_of_nodes_adds_up),
		cmocka_unit_test(what_emulation_cannot_run_is_refused),
	};

	return cmocka_run_group_tests_name("qemu_args", tests, NULL, NULL);
}
