// SPDX-License-Identifier: GPL-2.0-only
#include "sys/hostctx.h"

#include "tree.h"
#include "unit.h"
#include "util/cleanup.h"

static void read_fixture(const char *name, struct hostctx *ret)
{
	_cleanup_(root_close) struct root root = ROOT_INIT;
	char path[512];
	struct err err;

	snprintf(path, sizeof(path), FIXTURES "/%s", name);
	assert_int_equal(root_open(&root, path, &err), 0);
	hostctx_read(&root, ret);
}

/* Empty when there is no such entry. */
static const char *entry(const struct host_map *map, const char *key)
{
	for (size_t i = 0; i < map->entries.n; i++)
		if (strcmp(map->entries.v[i].key, key) == 0)
			return map->entries.v[i].value;
	return "";
}

static void text_lines_are_each_member_once_in_the_order_of_the_specification(void **state)
{
	static const char *const order[HOST_COUNT] = {
		"kernel_name",     "kernel_release", "arch",
		"cpu_model",       "cpu_vendor",     "total_memory_kb",
		"hugepages_total", "hugepages_free", "hugepages_size_kb",
		"online_cpus",     "numa_nodes",     "thp_enabled",
		"thp_defrag",      "kernel_cmdline", "cpufreq_governor",
		"sched_tunables",  "heap_state",
	};

	(void)state;
	for (size_t i = 0; i < HOST_COUNT; i++)
		assert_string_equal(host_members[host_lines[i]].name, order[i]);
}

static void a_server_has_every_member(void **state)
{
	_cleanup_(hostctx_done) struct hostctx host = {};

	(void)state;
	read_fixture("server-2n4l-smt", &host);
	assert_string_equal(host.cpu_model.s, "AMD EPYC 16-Core Processor");
	assert_string_equal(host.cpu_vendor.s, "AuthenticAMD");
	assert_int_equal(host.total_memory_kb.v, 263903344);
	assert_int_equal(host.hugepages_total.v, 1024);
	assert_int_equal(host.hugepages_free.v, 1000);
	assert_int_equal(host.hugepages_size_kb.v, 2048);
	assert_string_equal(host.thp_enabled.s, "[always] madvise never");
	assert_int_equal(host.online_cpus.v, 64);
	assert_int_equal(host.numa_nodes.v, 2);
	assert_string_equal(host.kernel_name.s, "Linux");
	assert_string_equal(host.kernel_release.s, "6.12.9-amd64");
	assert_string_equal(host.arch.s, "x86_64");
	assert_string_equal(host.kernel_cmdline.s,
			    "BOOT_IMAGE=/boot/vmlinuz root=/dev/sda1 ro isolcpus=62-63");
	assert_int_equal(host.sched_tunables.entries.n, 3);
	assert_string_equal(entry(&host.sched_tunables, "sched_schedstats"), "0");
	assert_int_equal(host.cpufreq_governor.entries.n, 64);
	/* Numeric order, not the order of names. */
	assert_string_equal(host.cpufreq_governor.entries.v[10].key, "10");
	assert_int_equal(host.numa.nodes.n, 2);
	assert_int_equal(host.numa.nodes.v[1].memory_kb, 132077128);
	assert_int_equal(host.numa.nodes.v[1].distances.v[0], 32);
	/* Of 17 members only the one of our own allocator is missing. */
	assert_int_equal(host.heap_state.absent, ABSENCE_UNSUPPORTED);
}

static void arm64_has_neither_model_nor_vendor_and_one_node(void **state)
{
	_cleanup_(hostctx_done) struct hostctx host = {};

	(void)state;
	read_fixture("arm64", &host);
	assert_int_equal(host.cpu_model.absent, ABSENCE_UNSUPPORTED);
	assert_int_equal(host.cpu_vendor.absent, ABSENCE_UNSUPPORTED);
	assert_string_equal(host.arch.s, "aarch64");
	assert_int_equal(host.numa_absent, ABSENCE_UNSUPPORTED);
	assert_int_equal(host.numa_nodes.absent, ABSENCE_NONE);
	assert_int_equal(host.numa_nodes.v, 1);
	assert_string_equal(entry(&host.cpufreq_governor, "5"), "schedutil");
}

static void only_nodes_with_online_cpus_and_only_files_count(void **state)
{
	_cleanup_(hostctx_done) struct hostctx host = {};

	(void)state;
	read_fixture("holes-offline", &host);
	assert_int_equal(host.online_cpus.v, 6);
	assert_int_equal(host.numa_nodes.v, 2);
	assert_int_equal(host.numa.nodes.n, 3);
	/* The folder sched_domain is no tunable. */
	assert_int_equal(host.sched_tunables.entries.n, 3);
	assert_string_equal(entry(&host.sched_tunables, "sched_rt_runtime_us"), "-1");
	/* No governor anywhere is a map without entries. */
	assert_int_equal(host.cpufreq_governor.absent, ABSENCE_NONE);
	assert_int_equal(host.cpufreq_governor.entries.n, 0);
	/* The tree is not this machine, so uname() may not answer for it. */
	assert_int_equal(host.arch.absent, ABSENCE_UNSUPPORTED);
}

static void the_running_machine_knows_its_architecture(void **state)
{
	_cleanup_(root_close) struct root root = ROOT_INIT;
	_cleanup_(hostctx_done) struct hostctx host = {};
	struct err err;

	(void)state;
	assert_int_equal(root_open(&root, "/", &err), 0);
	hostctx_read(&root, &host);
	assert_int_equal(host.arch.absent, ABSENCE_NONE);
}

static void hostile_files_are_absent_with_a_reason(void **state)
{
	_cleanup_(hostctx_done) struct hostctx host = {};

	(void)state;
	read_fixture("hostile", &host);
	assert_int_equal(host.total_memory_kb.absent, ABSENCE_ERROR);   /* words */
	assert_int_equal(host.hugepages_total.absent, ABSENCE_ERROR);   /* too large */
	assert_int_equal(host.hugepages_free.absent, ABSENCE_ERROR);    /* another unit */
	assert_int_equal(host.hugepages_size_kb.absent, ABSENCE_ERROR); /* no value */
	assert_int_equal(host.cpu_vendor.absent, ABSENCE_ERROR);        /* NUL */
	assert_int_equal(host.kernel_cmdline.absent, ABSENCE_ERROR);    /* a folder */
	assert_int_equal(host.kernel_release.absent, ABSENCE_ERROR);    /* a loop of links */
	assert_int_equal(host.kernel_name.absent, ABSENCE_UNSUPPORTED); /* a link out of the root */
	assert_int_equal(host.arch.absent, ABSENCE_UNSUPPORTED);        /* 0 bytes */
	assert_int_equal(host.thp_enabled.absent, ABSENCE_UNSUPPORTED); /* blank */
	assert_int_equal(host.thp_defrag.absent, ABSENCE_ERROR);        /* binary */
	assert_int_equal(host.sched_tunables.absent, ABSENCE_NONE);
	assert_int_equal(host.sched_tunables.entries.n, 4);
	assert_string_equal(entry(&host.sched_tunables, "sched_lines"), "one\ntwo\x1b[2J");
	assert_string_equal(entry(&host.sched_tunables, "sched_binary"), "");
	/* Bytes that are no text are kept; whoever writes them out escapes them. */
	assert_int_equal(host.cpu_model.absent, ABSENCE_NONE);
	assert_true(host.cpu_model.s[0] == '\xff');
}

static void an_empty_tree_has_nothing(void **state)
{
	struct tree tree;
	struct hostctx host;

	(void)state;
	tree_init(&tree);
	hostctx_read(&tree.root, &host);
	for (size_t i = 0; i < HOST_COUNT; i++) {
		enum absence absent = *(const enum absence *)host_get(&host, &host_members[i]);

		assert_int_equal(absent,
				 i == HOST_cpufreq_governor ? ABSENCE_NONE : ABSENCE_UNSUPPORTED);
	}
	hostctx_done(&host);
	tree_done(&tree);
}

static void nodes_are_counted_when_all_lists_are_read(void **state)
{
	static const struct {
		const char *label, *online, *node0, *node1;
		enum absence absent;
		uint64_t nodes;
	} cases[] = {
		{ "no NUMA support", "0-3\n", NULL, NULL, ABSENCE_NONE, 1 },
		{ "no NUMA support, no list", NULL, NULL, NULL, ABSENCE_UNSUPPORTED, 0 },
		{ "no NUMA support, a broken list", "x\n", NULL, NULL, ABSENCE_ERROR, 0 },
		{ "two nodes", "0-3\n", "0-1\n", "2-3\n", ABSENCE_NONE, 2 },
		{ "two nodes, one without CPUs", "0-3\n", "0-3\n", "\n", ABSENCE_NONE, 1 },
		{ "two nodes, no list", NULL, "0-1\n", "2-3\n", ABSENCE_UNSUPPORTED, 0 },
		{ "two nodes, one with a broken list", "0-3\n", "0-1\n", "x\n", ABSENCE_ERROR, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct tree tree;
		struct hostctx host;

		print_message("# %s\n", cases[i].label);
		tree_init(&tree);
		if (cases[i].online)
			tree_file(&tree, "sys/devices/system/cpu/online", cases[i].online);
		if (cases[i].node0)
			tree_file(&tree, "sys/devices/system/node/node0/cpulist", cases[i].node0);
		if (cases[i].node1)
			tree_file(&tree, "sys/devices/system/node/node1/cpulist", cases[i].node1);
		hostctx_read(&tree.root, &host);
		assert_int_equal(host.numa_nodes.absent, cases[i].absent);
		assert_int_equal(host.numa_nodes.v, cases[i].nodes);
		hostctx_done(&host);
		tree_done(&tree);
	}
}

static void fifos_and_huge_files_neither_hang_nor_fill_memory(void **state)
{
	struct tree tree;
	struct hostctx host;
	int fd;

	(void)state;
	tree_init(&tree);
	tree_parents(&tree, "proc/x");
	assert_int_equal(mkfifoat(tree.root.fd, "proc/cpuinfo", 0644), 0);
	tree_parents(&tree, "proc/sys/kernel/x");
	assert_int_equal(mkfifoat(tree.root.fd, "proc/sys/kernel/sched_fifo", 0644), 0);
	/* Sparse: costs no disk. */
	fd = openat(tree.root.fd, "proc/meminfo", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)1 << 40), 0);
	close(fd);
	hostctx_read(&tree.root, &host);
	assert_int_equal(host.cpu_model.absent, ABSENCE_ERROR);
	assert_int_equal(host.total_memory_kb.absent, ABSENCE_ERROR);
	assert_int_equal(host.sched_tunables.entries.n, 0);
	hostctx_done(&host);
	tree_done(&tree);
}

static void unreadable_files_say_permission(void **state)
{
	struct tree tree;
	struct hostctx host;

	(void)state;
	tree_init(&tree);
	tree_file(&tree, "proc/sys/kernel/sched_secret", "1\n");
	tree_file(&tree, "proc/cmdline", "quiet\n");
	tree_file(&tree, "sys/devices/system/node/node0/cpulist", "0\n");
	assert_int_equal(chmod(tree.dir, 0755), 0);
	assert_int_equal(fchmodat(tree.root.fd, "proc/sys/kernel/sched_secret", 0, 0), 0);
	assert_int_equal(fchmodat(tree.root.fd, "proc/cmdline", 0, 0), 0);
	assert_int_equal(fchmodat(tree.root.fd, "sys/devices/system/node", 0, 0), 0);
	/* To root nothing is unreadable. */
	if (geteuid() == 0)
		assert_int_equal(seteuid(65534), 0);
	hostctx_read(&tree.root, &host);
	if (getuid() == 0)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(host.kernel_cmdline.absent, ABSENCE_PERMISSION);
	assert_int_equal(host.sched_tunables.absent, ABSENCE_NONE);
	assert_int_equal(host.sched_tunables.entries.n, 1);
	assert_int_equal(host.sched_tunables.entries.v[0].absent, ABSENCE_PERMISSION);
	assert_int_equal(host.numa_absent, ABSENCE_PERMISSION);
	assert_int_equal(host.numa_nodes.absent, ABSENCE_PERMISSION);
	hostctx_done(&host);
	assert_int_equal(fchmodat(tree.root.fd, "sys/devices/system/node", 0755, 0), 0);
	tree_done(&tree);
}

static void distances_are_one_number_per_node_or_absent(void **state)
{
	static const struct {
		const char *label, *text;
		enum absence absent;
	} cases[] = {
		{ "as many as nodes", "10 21\n", ABSENCE_NONE },
		{ "too few", "10\n", ABSENCE_ERROR },
		{ "too many", "10 21 31\n", ABSENCE_ERROR },
		{ "not a number", "10 x\n", ABSENCE_ERROR },
		{ "empty", "\n", ABSENCE_UNSUPPORTED },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct tree tree;
		struct numa numa;

		print_message("# %s\n", cases[i].label);
		tree_init(&tree);
		tree_file(&tree, "sys/devices/system/node/node0/distance", cases[i].text);
		tree_file(&tree, "sys/devices/system/node/node3/distance", "21 10\n");
		assert_int_equal(numa_read(&tree.root, &numa), 1);
		assert_int_equal(numa.nodes.n, 2);
		assert_int_equal(numa.nodes.v[1].id, 3);
		assert_int_equal(numa.nodes.v[1].distances.v[0], 21);
		assert_int_equal(numa.nodes.v[0].distances_absent, cases[i].absent);
		assert_int_equal(numa.nodes.v[0].distances.n, cases[i].absent ? 0 : 2);
		numa_done(&numa);
		tree_done(&tree);
	}
}

static void write_host(const struct hostctx *host, struct strbuf *out)
{
	struct json_writer w;

	json_writer_init(&w, json_sink_strbuf, out, JSON_COMPACT);
	hostctx_json(host, &w);
	assert_int_equal(json_writer_finish(&w), 0);
}

static int read_host(struct slice text, struct hostctx *ret, struct err *err)
{
	struct json_reader r;
	int e;

	*err = (struct err){};
	json_reader_init_slice(&r, text, NULL, err);
	e = hostctx_json_read(&r, ret);
	json_reader_done(&r);
	return e;
}

static void every_host_is_read_back_as_it_was(void **state)
{
	_cleanup_(root_close) struct root fixtures = ROOT_INIT;
	_cleanup_(strv_done) struct strv names = STRV_INIT;
	struct err err;

	(void)state;
	assert_int_equal(root_open(&fixtures, FIXTURES, &err), 0);
	assert_int_equal(root_list(&fixtures, ".", &names), 1);
	for (size_t i = 0; i < names.n; i++) {
		_cleanup_(hostctx_done) struct hostctx host = {}, back = {};
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT, again = STRBUF_INIT;
		struct stat st;

		if (root_stat(&fixtures, names.v[i], &st) <= 0 || !S_ISDIR(st.st_mode))
			continue;
		read_fixture(names.v[i], &host);
		write_host(&host, &text);
		if (read_host(strbuf_slice(&text), &back, &err) < 0)
			fail_msg("%s: %s", names.v[i], err.text);
		write_host(&back, &again);
		assert_string_equal(text.s, again.s);
	}
}

static void a_host_of_others_is_read(void **state)
{
	_cleanup_(hostctx_done) struct hostctx host = {};
	struct err err;

	(void)state;
	assert_int_equal(
		read_host(SLICE_LIT("{\"later\":[1],\"arch\":\"x86_64\",\"cpu_model\":null,"
				    "\"total_memory_kib\":5,\"heap_state\":"
				    "{\"narenas\":18446744073709551615,\"x\":null},"
				    "\"absent\":{\"cpu_vendor\":\"permission\","
				    "\"cpufreq_governor.3\":\"ended\",\"numa\":\"later\","
				    "\"nothing\":\"error\",\"arch.x\":\"error\"}}"),
			  &host, &err),
		0);
	assert_string_equal(host.arch.s, "x86_64");
	assert_int_equal(host.cpu_model.absent, ABSENCE_ERROR);
	assert_string_equal(host.cpu_model.s, "");
	assert_int_equal(host.cpu_vendor.absent, ABSENCE_PERMISSION);
	assert_int_equal(host.total_memory_kb.v, 5);
	assert_int_equal(host.numa_absent, ABSENCE_ERROR);
	assert_string_equal(entry(&host.heap_state, "narenas"), "18446744073709551615");
	assert_int_equal(host.cpufreq_governor.absent, ABSENCE_NONE);
	assert_int_equal(host.cpufreq_governor.entries.v[0].absent, ABSENCE_ENDED);
}

static void what_is_no_host_is_refused(void **state)
{
	static const struct {
		const char *text;
		int code;
		const char *words;
	} rows[] = {
		{ "[]", -EBADMSG, "expected" },
		{ "{\"arch\":{}}", -EBADMSG, "'arch': byte 8" },
		{ "{\"arch\":\"\\u0000\"}", -EBADMSG, "NUL" },
		{ "{\"online_cpus\":-1}", -ERANGE, "'online_cpus'" },
		{ "{\"online_cpus\":1,\"online_cpus\":1}", -EBADMSG, "a second 'online_cpus'" },
		{ "{\"total_memory_kb\":1,\"total_memory_kib\":1}", -EBADMSG, "a second" },
		{ "{\"sched_tunables\":{\"a\":[]}}", -EBADMSG, "'sched_tunables'" },
		{ "{\"numa\":{\"x\":{}}}", -ERANGE, "the number of a node" },
		{ "{\"numa\":{\"1\":{},\"0\":{}}}", -EBADMSG, "do not ascend" },
		{ "{\"numa\":{\"0\":{\"cpus\":[262144]}}}", -ERANGE, "CPU 262144" },
		{ "{\"absent\":{\"arch\":1}}", -EBADMSG, "'absent'" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(hostctx_done) struct hostctx host = {};
		struct err err;
		int e = read_host(slice_of(rows[i].text), &host, &err);

		if (e != rows[i].code || !strstr(err.text, rows[i].words))
			fail_msg("%s: %d, '%s'", rows[i].text, e, err.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_lines_are_each_member_once_in_the_order_of_the_specification),
		cmocka_unit_test(a_server_has_every_member),
		cmocka_unit_test(arm64_has_neither_model_nor_vendor_and_one_node),
		cmocka_unit_test(only_nodes_with_online_cpus_and_only_files_count),
		cmocka_unit_test(the_running_machine_knows_its_architecture),
		cmocka_unit_test(hostile_files_are_absent_with_a_reason),
		cmocka_unit_test(an_empty_tree_has_nothing),
		cmocka_unit_test(nodes_are_counted_when_all_lists_are_read),
		cmocka_unit_test(fifos_and_huge_files_neither_hang_nor_fill_memory),
		cmocka_unit_test(unreadable_files_say_permission),
		cmocka_unit_test(distances_are_one_number_per_node_or_absent),
		cmocka_unit_test(every_host_is_read_back_as_it_was),
		cmocka_unit_test(a_host_of_others_is_read),
		cmocka_unit_test(what_is_no_host_is_refused),
	};

	return cmocka_run_group_tests_name("hostctx", tests, NULL, NULL);
}
