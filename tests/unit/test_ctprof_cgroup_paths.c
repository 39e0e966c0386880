// SPDX-License-Identifier: GPL-2.0-only
/* Each path once, and whose processes can have threads elsewhere. */
#include "unit.h"

#include "ctprof/cgroup_paths.h"
#include "tree.h"
#include "util/cleanup.h"

struct world {
	struct tree tree;
	struct cgroup_layout layout;
	struct cgroup_paths paths;
};

static void world_init(struct world *w)
{
	*w = (struct world){ .layout = CGROUP_LAYOUT_INIT };
	tree_init(&w->tree);
	tree_file(&w->tree, "cg/cgroup.controllers", "cpu\n");
	tree_file(&w->tree, "cg/plain/cgroup.type", "domain\n");
	tree_file(&w->tree, "cg/top/cgroup.type", "domain threaded\n");
	tree_file(&w->tree, "cg/top/leaf/cgroup.type", "threaded\n");
	cgroup_layout_at(&w->tree.root, "cg", &w->layout);
	cgroup_paths_init(&w->paths, &w->tree.root, &w->layout);
}

static void world_done(struct world *w)
{
	struct arena arena = ARENA_INIT;

	cgroup_paths_done(&w->paths, &arena);
	arena_done(&arena);
	cgroup_layout_done(&w->layout);
	tree_done(&w->tree);
}

static void a_path_is_kept_once(void **state)
{
	struct world w;
	const char *a, *b;

	(void)state;
	world_init(&w);
	a = cgroup_paths_add(&w.paths, SLICE_LIT("/plain")).path;
	b = cgroup_paths_add(&w.paths, SLICE_LIT("/top")).path;
	assert_ptr_equal(cgroup_paths_add(&w.paths, SLICE_LIT("/plain")).path, a);
	assert_ptr_equal(cgroup_paths_add(&w.paths, SLICE_LIT("/top")).path, b);
	assert_string_equal(cgroup_paths_add(&w.paths, SLICE_LIT("/pla")).path, "/pla");
	assert_int_equal(w.paths.sorted.n, 3);
	assert_string_equal(w.paths.sorted.v[0].path, "/pla");
	world_done(&w);
}

static void only_a_domain_holds_its_processes_together(void **state)
{
	static const struct {
		const char *path;
		bool may_differ;
	} rows[] = {
		{ "/plain", false },
		{ "/top", true },
		{ "/top/leaf", true },
		{ "/gone", true },
		{ "/plain (deleted)", true },
		{ "/../plain", true },
		{ "/", true }, /* `top` is threaded, so its own processes may be spread */
	};
	struct world w;

	(void)state;
	world_init(&w);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (cgroup_paths_add(&w.paths, slice_of(rows[i].path)).may_differ !=
		    rows[i].may_differ)
			fail_msg("'%s'", rows[i].path);
	world_done(&w);
}

static void a_top_without_threaded_children_holds_together(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	tree_file(&w.tree, "cg/top/cgroup.type", "domain\n");
	assert_false(cgroup_paths_add(&w.paths, SLICE_LIT("/")).may_differ);
	world_done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_is_kept_once),
		cmocka_unit_test(only_a_domain_holds_its_processes_together),
		cmocka_unit_test(a_top_without_threaded_children_holds_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
