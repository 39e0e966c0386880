// SPDX-License-Identifier: GPL-2.0-only
#include "util/folder.h"

#include <errno.h>
#include <stdio.h>

#include "tree.h"
#include "unit.h"
#include "util/cleanup.h"

static void folders_are_made_with_those_above(void **state)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;
	struct tree tree;
	struct err err;

	(void)state;
	tree_init(&tree);
	strbuf_addf(&path, "%s/a/b/c", tree.dir);
	assert_int_equal(folder_make(path.s, &err), 0);
	assert_int_equal(folder_make(path.s, &err), 0);
	assert_true(root_exists(&tree.root, "a/b/c"));
	tree_file(&tree, "file", "");
	strbuf_reset(&path);
	strbuf_addf(&path, "%s/file", tree.dir);
	assert_int_equal(folder_make(path.s, &err), -ENOTDIR);
	strbuf_addstr(&path, "/below");
	assert_int_equal(folder_make(path.s, &err), -ENOTDIR);
	assert_non_null(strstr(err.text, path.s));
	tree_done(&tree);
}

static void removing_takes_all_and_follows_no_link(void **state)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;
	struct tree tree;

	(void)state;
	tree_init(&tree);
	tree_file(&tree, "outside/kept", "");
	tree_file(&tree, "a/b/file", "");
	tree_link(&tree, "a/out", "../outside");
	tree_link(&tree, "a/nowhere", "nothing");
	assert_int_equal(fchmodat(tree.root.fd, "a/b", 0500, 0), 0);
	strbuf_addf(&path, "%s/a", tree.dir);
	assert_int_equal(folder_remove(path.s), 0);
	assert_false(root_exists(&tree.root, "a"));
	assert_true(root_exists(&tree.root, "outside/kept"));
	assert_int_equal(folder_remove(path.s), 0);
	tree_done(&tree);
}

static void the_bytes_below_are_added_up(void **state)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;
	uint64_t bytes = 7;
	struct tree tree;

	(void)state;
	tree_init(&tree);
	tree_file(&tree, "a/b/file", "12345");
	tree_file(&tree, "a/file", "123");
	strbuf_addf(&path, "%s/a", tree.dir);
	assert_int_equal(folder_bytes(path.s, &bytes), 0);
	assert_int_equal(bytes, 8);
	strbuf_addstr(&path, "/none");
	assert_int_equal(folder_bytes(path.s, &bytes), -ENOENT);
	assert_int_equal(bytes, 8);
	tree_done(&tree);
}

static void set(const char *name, const char *value)
{
	assert_int_equal(value ? setenv(name, value, 1) : unsetenv(name), 0);
}

static void the_environment_tells_where_the_cache_is(void **state)
{
	static const struct {
		const char *label, *own, *xdg, *home, *path;
	} rows[] = {
		{ "our own", "/own", "/xdg", "/home/a", "/own" },
		{ "that of XDG", NULL, "/xdg", "/home/a", "/xdg/ktstr" },
		{ "empty is unset", "", "", "/home/a", "/home/a/.cache/ktstr" },
		{ "a relative one of XDG does not count", NULL, "xdg", "/h", "/h/.cache/ktstr" },
		{ "nothing", NULL, NULL, NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;
		struct err err;

		print_message("# %s\n", rows[i].label);
		set("KTSTR_CACHE_DIR", rows[i].own);
		set("XDG_CACHE_HOME", rows[i].xdg);
		set("HOME", rows[i].home);
		assert_int_equal(folder_cache(&path, &err), rows[i].path ? 0 : -ENOENT);
		assert_string_equal(path.s, rows[i].path ? rows[i].path : "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folders_are_made_with_those_above),
		cmocka_unit_test(removing_takes_all_and_follows_no_link),
		cmocka_unit_test(the_bytes_below_are_added_up),
		cmocka_unit_test(the_environment_tells_where_the_cache_is),
	};

	return cmocka_run_group_tests_name("folder", tests, NULL, NULL);
}
