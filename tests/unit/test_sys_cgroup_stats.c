// SPDX-License-Identifier: GPL-2.0-only
#include "sys/cgroup_stats.h"

#include "tree.h"
#include "unit.h"
#include "util/cleanup.h"

#define V2(root) "40 29 0:8 " root " /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw\n"
#define TOP      "sys/fs/cgroup"

/* A tree with a layout, and where to look. */
struct host {
	struct tree tree;
	struct cgroup_layout layout;
	struct kconfig config;
	struct cgroup_source source;
	struct arena arena;
};

static void host_init(struct host *h, const char *mountinfo, const char *controllers)
{
	*h = (struct host){ .layout = CGROUP_LAYOUT_INIT, .config = KCONFIG_INIT };
	tree_init(&h->tree);
	tree_file(&h->tree, "proc/self/mountinfo", mountinfo);
	tree_file(&h->tree, TOP "/cgroup.controllers", controllers);
	assert_int_equal(cgroup_layout_read(&h->tree.root, &h->layout), 1);
	h->source = (struct cgroup_source){ &h->tree.root, &h->layout, &h->config };
}

static void host_done(struct host *h)
{
	arena_done(&h->arena);
	kconfig_done(&h->config);
	cgroup_layout_done(&h->layout);
	tree_done(&h->tree);
}

static void put(struct host *h, const char *dir, const char *file, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	tree_file(&h->tree, path, text);
}

/* A group that has all there is. */
static void put_full(struct host *h, const char *dir)
{
	static const struct {
		const char *file, *text;
	} files[] = {
		{ "cgroup.controllers", "cpu memory pids\n" },
		{ "cpu.stat", "usage_usec 1000\nuser_usec 600\nsystem_usec 400\nnr_periods 5\n"
			      "nr_throttled 2\nthrottled_usec 30\nunheard_of 1\n" },
		{ "cpu.max", "50000 200000\n" },
		{ "cpu.weight", "100\n" },
		{ "cpu.weight.nice", "-5\n" },
		{ "cpu.pressure", "some avg10=1.50 avg60=0.00 avg300=0.00 total=9\n" },
		{ "memory.current", "4096\n" },
		{ "memory.max", "5368709120\n" },
		{ "memory.high", "max\n" },
		{ "memory.low", "max\n" },
		{ "memory.min", "0\n" },
		{ "memory.stat", "anon 10\nfile 20\npgfault 30\n" },
		{ "memory.events", "low 0\noom 1\n" },
		{ "pids.current", "3\n" },
		{ "pids.max", "max\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		put(h, dir, files[i].file, files[i].text);
}

static void assert_all_absent(const struct cgroup_stats *s, enum absence why)
{
#define CGROUP_VALUE(group, name, ...)                                                             \
	print_message("# " #group "." #name "\n");                                                 \
	assert_int_equal(s->group##_##name.absent, why);
#include "sys/cgroup_stats.def"
#undef CGROUP_VALUE
	assert_int_equal(s->cpu_usage_usec.v, 0);
	assert_int_equal(s->cpu_max_period_us.v, CGROUP_PERIOD_DEFAULT);
	assert_int_equal(s->memory_stat.keyed.n, 0);
}

static void a_full_group_reads_as_it_stands(void **state)
{
	struct cgroup_stats s;
	struct host h;
	uint64_t v;

	(void)state;
	host_init(&h, V2("/"), "cpu memory pids\n");
	put_full(&h, TOP "/a b/c");
	assert_int_equal(cgroup_stats_read(&h.source, "/a b/c", NULL, &h.arena, &s), 1);
#define CGROUP_VALUE(group, name, ...) assert_int_equal(s.group##_##name.absent, ABSENCE_NONE);
#include "sys/cgroup_stats.def"
#undef CGROUP_VALUE
	assert_int_equal(s.cpu_usage_usec.v, 1000);
	assert_int_equal(s.cpu_nr_throttled.v, 2);
	assert_int_equal(s.cpu_throttled_usec.v, 30);
	assert_int_equal(s.cpu_max_quota_us.v, 50000);
	assert_int_equal(s.cpu_max_period_us.v, 200000);
	assert_int_equal(s.cpu_weight.v, 100);
	assert_int_equal(s.cpu_weight_nice.v, -5);
	assert_int_equal(s.memory_current.v, 4096);
	assert_true(s.memory_max.v == 5368709120 && !s.memory_max.unlimited);
	assert_true(s.memory_high.v == 0 && s.memory_high.unlimited);
	assert_true(s.memory_low.v == UINT64_MAX && !s.memory_low.unlimited);
	assert_int_equal(s.memory_min.v, 0);
	assert_int_equal(s.memory_stat.keyed.n, 3);
	assert_true(keyed_get(&s.memory_stat.keyed, "pgfault", &v) && v == 30);
	assert_true(keyed_get(&s.memory_events.keyed, "oom", &v) && v == 1);
	assert_int_equal(s.pids_current.v, 3);
	assert_true(s.pids_max.unlimited);
	assert_int_equal(s.psi.resource[PSI_CPU].some.avg10, 150);
	assert_int_equal(s.psi.resource[PSI_IO].absence, ABSENCE_UNSUPPORTED);
	host_done(&h);
}

static void groups_share_the_names_of_their_numbers(void **state)
{
	struct cgroup_stats first, second;
	struct host h;

	(void)state;
	host_init(&h, V2("/"), "cpu memory pids\n");
	put_full(&h, TOP "/a");
	put_full(&h, TOP "/b");
	put(&h, TOP "/b", "memory.stat", "new 1\nanon 5\n");
	assert_int_equal(cgroup_stats_read(&h.source, "/a", NULL, &h.arena, &first), 1);
	assert_int_equal(cgroup_stats_read(&h.source, "/b", &first, &h.arena, &second), 1);
	assert_ptr_equal(second.memory_stat.keyed.rows[0].name,
			 first.memory_stat.keyed.rows[0].name);
	assert_int_equal(second.memory_stat.keyed.rows[0].v, 5);
	assert_string_equal(second.memory_stat.keyed.rows[1].name, "new");
	assert_ptr_equal(second.memory_events.keyed.rows[1].name,
			 first.memory_events.keyed.rows[1].name);
	host_done(&h);
}

static void the_top_group_lacks_most_files(void **state)
{
	struct cgroup_stats s;
	struct host h;

	(void)state;
	host_init(&h, V2("/"), "cpu memory pids\n");
	put(&h, TOP, "cpu.stat", "usage_usec 7\nuser_usec 1\nsystem_usec 6\n");
	put(&h, TOP, "memory.stat", "anon 1\n");
	assert_int_equal(cgroup_stats_read(&h.source, "/", NULL, &h.arena, &s), 1);
	assert_int_equal(s.cpu_usage_usec.v, 7);
	assert_int_equal(s.memory_stat.keyed.n, 1);
	assert_int_equal(s.cpu_nr_throttled.absent, ABSENCE_UNSUPPORTED);
	assert_int_equal(s.cpu_max_quota_us.absent, ABSENCE_UNSUPPORTED);
	assert_int_equal(s.cpu_max_period_us.absent, ABSENCE_UNSUPPORTED);
	assert_int_equal(s.cpu_max_period_us.v, CGROUP_PERIOD_DEFAULT);
	assert_int_equal(s.memory_current.absent, ABSENCE_UNSUPPORTED);
	assert_int_equal(s.pids_max.absent, ABSENCE_UNSUPPORTED);
	assert_int_equal(s.cpu_weight_nice.absent, ABSENCE_UNSUPPORTED);
	host_done(&h);
}

static void what_a_controller_would_offer_is_switched_off_or_unheard_of(void **state)
{
	static const struct {
		const char *label, *top, *group;
		enum absence cpu, memory;
	} rows[] = {
		{ "off for the group", "cpu memory\n", "memory\n", ABSENCE_DISABLED,
		  ABSENCE_UNSUPPORTED },
		{ "off for all groups", "cpu memory\n", "", ABSENCE_DISABLED, ABSENCE_DISABLED },
		{ "nothing known of the group", "cpu memory\n", NULL, ABSENCE_DISABLED,
		  ABSENCE_DISABLED },
		{ "not in this hierarchy", "hugetlb\n", "hugetlb\n", ABSENCE_UNSUPPORTED,
		  ABSENCE_UNSUPPORTED },
		{ "on, but not built", "cpu memory\n", "cpu memory\n", ABSENCE_UNSUPPORTED,
		  ABSENCE_UNSUPPORTED },
		{ "a name that begins alike", "cpuset memory\n", "cpuset memory\n",
		  ABSENCE_UNSUPPORTED, ABSENCE_UNSUPPORTED },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct cgroup_stats s;
		struct host h;

		print_message("# %s\n", rows[i].label);
		host_init(&h, V2("/"), rows[i].top);
		put(&h, TOP "/a", "cpu.stat", "usage_usec 7\nuser_usec 1\nsystem_usec 6\n");
		if (rows[i].group)
			put(&h, TOP "/a", "cgroup.controllers", rows[i].group);
		assert_int_equal(cgroup_stats_read(&h.source, "/a", NULL, &h.arena, &s), 1);
		assert_int_equal(s.cpu_usage_usec.absent, ABSENCE_NONE);
		assert_int_equal(s.cpu_usage_usec.v, 7);
		assert_int_equal(s.cpu_nr_throttled.absent, rows[i].cpu);
		assert_int_equal(s.cpu_throttled_usec.absent, rows[i].cpu);
		assert_int_equal(s.cpu_max_period_us.absent, rows[i].cpu);
		assert_int_equal(s.cpu_weight_nice.absent, rows[i].cpu);
		assert_int_equal(s.memory_current.absent, rows[i].memory);
		assert_int_equal(s.memory_events.absent, rows[i].memory);
		host_done(&h);
	}
}

static void malformed_files_are_errors_each_for_itself(void **state)
{
	static const char *const files[] = { "cpu.stat",        "cpu.max",        "cpu.weight",
					     "cpu.weight.nice", "memory.current", "memory.max",
					     "memory.high",     "memory.low",     "memory.min",
					     "memory.stat",     "memory.events",  "pids.current",
					     "pids.max" };
	static const struct slice texts[] = {
		SLICE_LIT(""),
		SLICE_LIT("\n"),
		SLICE_LIT("garbage"),
		SLICE_LIT("\0\0\0\n"),
		SLICE_LIT("18446744073709551616 -\n"),
	};

	(void)state;
	for (size_t t = 0; t < ARRAY_SIZE(texts); t++) {
		struct cgroup_stats s;
		struct host h;

		host_init(&h, V2("/"), "cpu memory pids\n");
		put_full(&h, TOP "/a");
		for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
			char path[128];

			snprintf(path, sizeof(path), TOP "/a/%s", files[i]);
			tree_bytes(&h.tree, path, texts[t]);
		}
		assert_int_equal(cgroup_stats_read(&h.source, "/a", NULL, &h.arena, &s), 1);
		assert_all_absent(&s, ABSENCE_ERROR);
		host_done(&h);
	}
}

static void a_cpu_stat_keeps_the_lines_that_are_whole(void **state)
{
	struct cgroup_stats s;
	struct host h;

	(void)state;
	host_init(&h, V2("/"), "cpu memory pids\n");
	put_full(&h, TOP "/a");
	put(&h, TOP "/a", "cpu.stat", "usage_usec 12\nnr_throttled x\nthrottled_usec 3");
	assert_int_equal(cgroup_stats_read(&h.source, "/a", NULL, &h.arena, &s), 1);
	assert_int_equal(s.cpu_usage_usec.v, 12);
	assert_int_equal(s.cpu_nr_throttled.absent, ABSENCE_ERROR);
	assert_int_equal(s.cpu_throttled_usec.absent, ABSENCE_ERROR);
	host_done(&h);
}

static void what_may_not_be_read_says_so(void **state)
{
	bool root = geteuid() == 0;
	struct cgroup_stats s;
	struct host h;
	int r, locked;

	(void)state;
	host_init(&h, V2("/"), "cpu memory pids\n");
	put_full(&h, TOP "/a");
	put_full(&h, TOP "/locked/b");
	assert_int_equal(chmod(h.tree.dir, 0755), 0);
	assert_int_equal(fchmodat(h.tree.root.fd, TOP "/a/memory.stat", 0, 0), 0);
	assert_int_equal(fchmodat(h.tree.root.fd, TOP "/a/cpu.max", 0, 0), 0);
	assert_int_equal(fchmodat(h.tree.root.fd, TOP "/locked", 0, 0), 0);
	assert_int_equal(root ? seteuid(65534) : 0, 0);
	r = cgroup_stats_read(&h.source, "/a", NULL, &h.arena, &s);
	locked = cgroup_stats_read(&h.source, "/locked/b", NULL, &h.arena, &s);
	assert_int_equal(root ? seteuid(0) : 0, 0);
	assert_int_equal(fchmodat(h.tree.root.fd, TOP "/locked", 0755, 0), 0);
	assert_int_equal(r, 1);
	assert_int_equal(locked, -EACCES);
	assert_int_equal(s.memory_stat.absent, ABSENCE_PERMISSION);
	assert_int_equal(s.cpu_max_quota_us.absent, ABSENCE_PERMISSION);
	assert_int_equal(s.cpu_max_period_us.absent, ABSENCE_PERMISSION);
	assert_int_equal(s.cpu_max_period_us.v, CGROUP_PERIOD_DEFAULT);
	assert_int_equal(s.memory_events.absent, ABSENCE_NONE);
	host_done(&h);
}

/* Removes the group when the file named is looked up. */
struct removal {
	struct host *host;
	const char *at;
};

static void remove_group(void *ctx, const char *path, int outcome)
{
	struct removal *removal = ctx;
	char dir[128];

	(void)outcome;
	if (!removal->at || strcmp(path, removal->at) != 0)
		return;
	removal->at = NULL;
	snprintf(dir, sizeof(dir), "%s/" TOP "/a", removal->host->tree.dir);
	assert_int_equal(nftw(dir, tree_remove, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static void a_group_that_is_removed_meanwhile_has_ended(void **state)
{
	struct cgroup_stats s;
	struct host h;
	struct removal removal = { &h, TOP "/a/cpu.max" };

	(void)state;
	host_init(&h, V2("/"), "cpu memory pids\n");
	put_full(&h, TOP "/a");
	h.tree.root.seen = remove_group;
	h.tree.root.seen_ctx = &removal;
	assert_int_equal(cgroup_stats_read(&h.source, "/a", NULL, &h.arena, &s), 1);
	assert_int_equal(s.cpu_usage_usec.absent, ABSENCE_NONE);
	assert_int_equal(s.cpu_usage_usec.v, 1000);
	assert_int_equal(s.cpu_max_period_us.v, 200000);
	assert_int_equal(s.cpu_weight.absent, ABSENCE_ENDED);
	assert_int_equal(s.cpu_weight_nice.absent, ABSENCE_ENDED);
	assert_int_equal(s.memory_stat.absent, ABSENCE_ENDED);
	assert_int_equal(s.pids_max.absent, ABSENCE_ENDED);
	for (enum psi_resource i = 0; i < PSI_COUNT; i++)
		assert_int_equal(s.psi.resource[i].absence, ABSENCE_ENDED);

	h.tree.root.seen = NULL;
	assert_int_equal(cgroup_stats_read(&h.source, "/a", NULL, &h.arena, &s), 0);
	put_full(&h, TOP "/a");
	removal.at = TOP "/a";
	h.tree.root.seen = remove_group;
	assert_int_equal(cgroup_stats_read(&h.source, "/a", NULL, &h.arena, &s), 1);
	assert_all_absent(&s, ABSENCE_ENDED);
	h.tree.root.seen = NULL;
	host_done(&h);
}

static void a_path_leads_to_a_folder_below_what_is_mounted(void **state)
{
	static const struct {
		const char *label, *subtree, *path;
		int r;
		uint64_t weight; /* of the group that was read */
	} rows[] = {
		{ "all of it", V2("/"), "/", 1, 1 },
		{ "all of it, a group", V2("/"), "/a", 1, 2 },
		{ "all of it, not there", V2("/"), "/x", 0, 0 },
		{ "all of it, below a file", V2("/"), "/a/cpu.weight/b", 0, 0 },
		{ "all of it, a file", V2("/"), "/a/cpu.weight", 0, 0 },
		{ "a part, its top", V2("/docker/c"), "/docker/c", 1, 1 },
		{ "a part, below it", V2("/docker/c"), "/docker/c/a", 1, 2 },
		{ "a part, not there", V2("/docker/c"), "/docker/c/x", 0, 0 },
		{ "a part, beside it", V2("/docker/c"), "/a", -EXDEV, 0 },
		{ "a part, above it", V2("/docker/c"), "/docker", -EXDEV, 0 },
		{ "a part, the top", V2("/docker/c"), "/", -EXDEV, 0 },
		{ "a part, a name that begins alike", V2("/docker/c"), "/docker/ca", -EXDEV, 0 },
		{ "above our namespace", V2("/.."), "/a", -EXDEV, 0 },
		{ "not mounted", "", "/a", 0, 0 },
		{ "outside of the namespace", V2("/"), "/../a", -EINVAL, 0 },
		{ "up and down", V2("/"), "/a/../a", -EINVAL, 0 },
		{ "removed", V2("/"), "/a (deleted)", -EINVAL, 0 },
		{ "relative", V2("/"), "a", -EINVAL, 0 },
		{ "empty", V2("/"), "", -EINVAL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct cgroup_stats s = { .cpu_weight = { .v = 0 } };
		struct host h;

		print_message("# %s\n", rows[i].label);
		host_init(&h, rows[i].subtree, "cpu\n");
		put(&h, TOP, "cpu.weight", "1\n");
		put(&h, TOP "/a", "cpu.weight", "2\n");
		assert_int_equal(cgroup_stats_read(&h.source, rows[i].path, NULL, &h.arena, &s),
				 rows[i].r);
		assert_int_equal(s.cpu_weight.v, rows[i].weight);
		host_done(&h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_group_reads_as_it_stands),
		cmocka_unit_test(groups_share_the_names_of_their_numbers),
		cmocka_unit_test(the_top_group_lacks_most_files),
		cmocka_unit_test(what_a_controller_would_offer_is_switched_off_or_unheard_of),
		cmocka_unit_test(malformed_files_are_errors_each_for_itself),
		cmocka_unit_test(a_cpu_stat_keeps_the_lines_that_are_whole),
		cmocka_unit_test(what_may_not_be_read_says_so),
		cmocka_unit_test(a_group_that_is_removed_meanwhile_has_ended),
		cmocka_unit_test(a_path_leads_to_a_folder_below_what_is_mounted),
	};

	return cmocka_run_group_tests_name("cgroup_stats", tests, NULL, NULL);
}
