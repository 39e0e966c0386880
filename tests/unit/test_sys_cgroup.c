// SPDX-License-Identifier: GPL-2.0-only
#include "sys/cgroup.h"
#include "tree.h"
#include "unit.h"

#define V1(name)        "30 29 0:9 / /sys/fs/cgroup/" name " rw - cgroup cgroup rw," name "\n"
#define V2(root, point) "40 29 0:8 " root " " point " rw shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"

static void the_layout_is_found_through_mountinfo(void **state)
{
	static const struct {
		const char *label, *mounts;
		const char *folder; /* of a cgroup v2 hierarchy */
		const char *second; /* of another */
		enum cgroup_mode mode;
		const char *point, *subtree;
	} cases[] = {
		{ "pure", V2("/", "/sys/fs/cgroup"), "sys/fs/cgroup", NULL, CGROUP_PURE,
		  "sys/fs/cgroup", "/" },
		{ "hybrid", V1("cpu") V2("/", "/sys/fs/cgroup/unified"), "sys/fs/cgroup/unified",
		  NULL, CGROUP_HYBRID, "sys/fs/cgroup/unified", "/" },
		{ "v1 only", V1("cpu"), NULL, NULL, CGROUP_LEGACY, "", "" },
		{ "nothing", "1 1 0:1 / / rw - ext4 /dev/vda rw\n", NULL, NULL, CGROUP_NONE, "",
		  "" },
		{ "empty file", "", NULL, NULL, CGROUP_NONE, "", "" },
		{ "a blank in the path", V2("/", "/mnt/c\\040g"), "mnt/c g", NULL, CGROUP_PURE,
		  "mnt/c g", "/" },
		{ "only a subtree", V2("/docker/ab\\040c", "/sys/fs/cgroup"), "sys/fs/cgroup", NULL,
		  CGROUP_PURE, "sys/fs/cgroup", "/docker/ab c" },
		{ "a subtree before the whole", V2("/docker/a", "/mnt/sub") V2("/", "/mnt/all"),
		  "mnt/sub", "mnt/all", CGROUP_PURE, "mnt/all", "/" },
		{ "the whole before a subtree", V2("/", "/mnt/all") V2("/docker/a", "/mnt/sub"),
		  "mnt/sub", "mnt/all", CGROUP_PURE, "mnt/all", "/" },
		{ "the first of two", V2("/", "/mnt/b") V2("/", "/mnt/a"), "mnt/a", "mnt/b",
		  CGROUP_PURE, "mnt/b", "/" },
		{ "the first is hidden", V2("/", "/mnt/hidden") V2("/", "/mnt/a"), "mnt/a", NULL,
		  CGROUP_PURE, "mnt/a", "/" },
		{ "mounted but hidden", V2("/", "/mnt/hidden"), NULL, NULL, CGROUP_NONE, "", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *folders[] = { cases[i].folder, cases[i].second };
		struct cgroup_layout layout = CGROUP_LAYOUT_INIT;
		struct tree tree;

		print_message("# %s\n", cases[i].label);
		tree_init(&tree);
		tree_file(&tree, "proc/self/mountinfo", cases[i].mounts);
		for (size_t k = 0; k < ARRAY_SIZE(folders); k++) {
			char path[128];

			if (!folders[k])
				continue;
			snprintf(path, sizeof(path), "%s/cgroup.controllers", folders[k]);
			tree_file(&tree, path, "memory cpu\n");
		}
		assert_int_equal(cgroup_layout_read(&tree.root, &layout), 1);
		assert_int_equal(layout.mode, cases[i].mode);
		assert_string_equal(layout.point.s, cases[i].point);
		assert_string_equal(layout.subtree.s, cases[i].subtree);
		assert_int_equal(cgroup_layout_has(&layout, "cpu"), cases[i].point[0] != '\0');
		assert_false(cgroup_layout_has(&layout, "io"));
		assert_false(cgroup_layout_enabled(&layout, "cpu"));
		cgroup_layout_done(&layout);
		tree_done(&tree);
	}
}

static void controllers_belong_to_one_version(void **state)
{
	struct cgroup_layout layout = CGROUP_LAYOUT_INIT;
	struct tree tree;

	(void)state;
	tree_init(&tree);
	tree_file(&tree, "proc/self/mountinfo",
		  "1 1 0:1 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
		  "1 1 0:1 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd,xattr\n" V2(
			  "/", "/sys/fs/cgroup/unified"));
	tree_file(&tree, "sys/fs/cgroup/unified/cgroup.controllers", "memory pids io\n");
	tree_file(&tree, "sys/fs/cgroup/unified/cgroup.subtree_control", "pids\n");
	assert_int_equal(cgroup_layout_read(&tree.root, &layout), 1);
	assert_int_equal(layout.v1.n, 2);
	assert_string_equal(cgroup_layout_v1_point(&layout, "cpuacct"),
			    "sys/fs/cgroup/cpu,cpuacct");
	assert_null(cgroup_layout_v1_point(&layout, "memory"));
	assert_null(cgroup_layout_v1_point(&layout, "name=systemd"));
	assert_true(cgroup_layout_has(&layout, "io"));
	assert_true(cgroup_layout_enabled(&layout, "pids"));
	assert_false(cgroup_layout_enabled(&layout, "io"));
	assert_false(cgroup_layout_has(&layout, "cpu"));
	cgroup_layout_done(&layout);
	tree_done(&tree);
}

static void without_mountinfo_nothing_is_known(void **state)
{
	struct cgroup_layout layout = CGROUP_LAYOUT_INIT;
	struct tree tree;

	(void)state;
	tree_init(&tree);
	assert_int_equal(cgroup_layout_read(&tree.root, &layout), 0);
	cgroup_layout_done(&layout);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_layout_is_found_through_mountinfo),
		cmocka_unit_test(controllers_belong_to_one_version),
		cmocka_unit_test(without_mountinfo_nothing_is_known),
	};

	return cmocka_run_group_tests_name("cgroup", tests, NULL, NULL);
}
