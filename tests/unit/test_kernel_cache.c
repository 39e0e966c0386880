// SPDX-License-Identifier: GPL-2.0-only
/* Entries appear whole, in order, and go the way they came. */
#include "kernel/cache.h"

#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>

#include "kernel/staging.h"
#include "kernel_bytes.h"
#include "tree.h"
#include "unit.h"
#include "util/cleanup.h"

#define ARCH "x86_64"

static void add_entry(struct tree *tree, const char *key, const char *release, const char *fragment,
		      uint64_t made)
{
	_cleanup_(kernel_metadata_done) struct kernel_metadata m = KERNEL_METADATA_INIT;
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT, path = STRBUF_INIT;
	char bytes[IMAGE_BYTES];

	strbuf_addstr(&m.release, release);
	strbuf_addstr(&m.arch, ARCH);
	strbuf_addstr(&m.source, "somewhere 1");
	strbuf_addstr(&m.fragment, fragment);
	m.made = made;
	kernel_metadata_write(&m, &text);
	strbuf_addf(&path, "%s/metadata.json", key);
	tree_file(tree, path.s, text.s);
	strbuf_reset(&path);
	strbuf_addf(&path, "%s/image", key);
	make_x86_image(bytes, "6.1 x");
	tree_bytes(tree, path.s, SLICE_OF_IMAGE(bytes));
}

/* "a c b", with a '!' behind those that are not valid. */
static void join(const struct kernel_entries *entries, struct strbuf *out)
{
	strbuf_reset(out);
	for (size_t i = 0; i < entries->list.n; i++)
		strbuf_addf(out, "%s%s%s", i ? " " : "", entries->list.v[i].key.s,
			    entries->list.v[i].state == KERNEL_ENTRY_VALID ? "" : "!");
}

static void the_newest_entry_comes_first(void **state)
{
	_cleanup_(kernel_entries_done) struct kernel_entries entries = {};
	_cleanup_(strbuf_done) struct strbuf keys = STRBUF_INIT, fragment = STRBUF_INIT;
	struct tree tree;
	struct err err;

	(void)state;
	tree_init(&tree);
	kernel_metadata_fragment(&fragment);
	add_entry(&tree, "old", "6.19", "", 10);
	add_entry(&tree, "same-low", "6.9.0", "", 20);
	add_entry(&tree, "same-high", "6.12.0", "", 20);
	add_entry(&tree, "ours", "6.12.0", fragment.s, 30);
	add_entry(&tree, "ours-before", "6.12.0", "0000000000000000", 40);
	tree_file(&tree, "empty/x", "");
	tree_file(&tree, "a.log", "");
	tree_file(&tree, ".new-x/y", "");
	assert_int_equal(kernel_cache_list(tree.dir, ARCH, &entries, &err), 0);
	join(&entries, &keys);
	assert_string_equal(keys.s, "ours-before! ours same-high same-low old empty!");
	assert_true(entries.list.v[1].bytes > IMAGE_BYTES);
	tree_done(&tree);
}

static void a_cache_that_is_not_there_is_empty(void **state)
{
	_cleanup_(kernel_entries_done) struct kernel_entries entries = {};
	struct err err;

	(void)state;
	assert_int_equal(kernel_cache_list("/nonexistent/cache", ARCH, &entries, &err), 0);
	assert_int_equal(entries.list.n, 0);
	/* A file in its place is not. */
	assert_true(kernel_cache_list("/dev/null", ARCH, &entries, &err) < 0);
}

static void metadata_that_tells_too_little_is_broken(void **state)
{
	static const struct {
		const char *label, *text;
		int result;
	} rows[] = {
		{ "whole",
		  "{\"format\":1,\"release\":\"6.1\",\"arch\":\"x86_64\",\"source\":\"s\"}", 0 },
		{ "of the future",
		  "{\"format\":1,\"release\":\"6.1\",\"arch\":\"a\",\"source\":\"s\","
		  "\"other\":[1]}",
		  0 },
		{ "another format",
		  "{\"format\":2,\"release\":\"6.1\",\"arch\":\"a\",\"source\":\"s\"}", -EBADMSG },
		{ "no format", "{\"release\":\"6.1\",\"arch\":\"a\",\"source\":\"s\"}", -EBADMSG },
		{ "no release", "{\"format\":1,\"arch\":\"a\",\"source\":\"s\"}", -EBADMSG },
		{ "a number for a text", "{\"format\":1,\"release\":6.1}", -EBADMSG },
		{ "a NUL byte", "{\"format\":1,\"release\":\"6\\u0000\"}", -EBADMSG },
		{ "cut", "{\"format\":1,\"release\":\"6.1\"", -EBADMSG },
		{ "empty", "", -EBADMSG },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(kernel_metadata_done) struct kernel_metadata m = KERNEL_METADATA_INIT;
		struct err err;

		print_message("# %s\n", rows[i].label);
		assert_int_equal(kernel_metadata_read(slice_of(rows[i].text), &m, &err),
				 rows[i].result);
	}
}

static void cleaning_keeps_the_newest_valid_ones(void **state)
{
	static const struct {
		size_t keep;
		const char *kept, *removed;
	} rows[] = {
		{ SIZE_MAX, "c b a", "stale!" },
		{ 3, "c b a", "stale!" },
		{ 1, "c", "stale! b a" },
		{ 0, "", "stale! c b a" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(kernel_entries_done) struct kernel_entries entries = {}, removed = {},
								     left = {};
		_cleanup_(strbuf_done) struct strbuf keys = STRBUF_INIT;
		struct tree tree;
		struct err err;

		tree_init(&tree);
		add_entry(&tree, "a", "6.1", "", 1);
		add_entry(&tree, "b", "6.1", "", 2);
		add_entry(&tree, "c", "6.1", "", 3);
		add_entry(&tree, "stale", "6.1", "0000000000000000", 4);
		tree_file(&tree, "x.log", "");
		tree_file(&tree, ".new-gone/half/done", "");
		assert_int_equal(kernel_cache_list(tree.dir, ARCH, &entries, &err), 0);
		assert_int_equal(
			kernel_cache_clean(tree.dir, rows[i].keep, &entries, &removed, &err), 0);
		join(&entries, &keys);
		assert_string_equal(keys.s, rows[i].kept);
		join(&removed, &keys);
		assert_string_equal(keys.s, rows[i].removed);
		assert_int_equal(kernel_cache_list(tree.dir, ARCH, &left, &err), 0);
		join(&left, &keys);
		assert_string_equal(keys.s, rows[i].kept);
		assert_false(root_exists(&tree.root, "x.log"));
		assert_false(root_exists(&tree.root, ".new-gone"));
		tree_done(&tree);
	}
}

static void what_is_being_made_is_left_alone(void **state)
{
	_cleanup_(kernel_entries_done) struct kernel_entries entries = {}, removed = {};
	_cleanup_(kernel_staging_done) struct kernel_staging mine = KERNEL_STAGING_INIT,
							     other = KERNEL_STAGING_INIT;
	struct tree tree;
	struct err err;

	(void)state;
	tree_init(&tree);
	add_entry(&tree, "a", "6.1", "", 1);
	assert_int_equal(kernel_staging_lock(&mine, tree.dir, "a", &err), 0);
	assert_int_equal(kernel_staging_begin(&mine, &err), 0);
	assert_int_equal(kernel_staging_lock(&other, tree.dir, "a", &err), -EAGAIN);
	kernel_staging_sweep(tree.dir);
	assert_true(root_exists(&tree.root, ".new-a/entry"));
	assert_int_equal(kernel_cache_list(tree.dir, ARCH, &entries, &err), 0);
	assert_int_equal(kernel_cache_clean(tree.dir, 0, &entries, &removed, &err), 0);
	assert_int_equal(removed.list.n, 0);
	assert_true(root_exists(&tree.root, "a/image"));
	kernel_staging_done(&mine);
	assert_false(root_exists(&tree.root, ".new-a"));
	assert_false(root_exists(&tree.root, ".lock-a"));
	/* Now it is free. */
	assert_int_equal(kernel_staging_lock(&other, tree.dir, "a", &err), 0);
	kernel_staging_done(&other);
	tree_done(&tree);
}

static void an_entry_takes_the_place_of_an_older_one(void **state)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct tree tree;
	struct err err;

	(void)state;
	tree_init(&tree);
	for (int i = 0; i < 2; i++) {
		struct kernel_staging s = KERNEL_STAGING_INIT;

		assert_int_equal(kernel_staging_lock(&s, tree.dir, "k", &err), 0);
		assert_int_equal(kernel_staging_begin(&s, &err), 0);
		tree_file(&tree, ".new-k/entry/image", i ? "second" : "first");
		assert_int_equal(kernel_staging_commit(&s, &err), 0);
		kernel_staging_done(&s);
		assert_int_equal(root_read(&tree.root, "k/image", 100, &text), 1);
		assert_string_equal(text.s, i ? "second" : "first");
		assert_false(root_exists(&tree.root, ".new-k"));
	}
	tree_done(&tree);
}

/* Nobody removes what somebody who was killed has left, until the next one comes. */
static void what_the_dead_left_is_swept(void **state)
{
	struct tree tree;
	int status;
	pid_t pid;

	(void)state;
	tree_init(&tree);
	pid = fork();
	if (pid == 0) {
		struct kernel_staging s = KERNEL_STAGING_INIT;
		struct err err;

		if (kernel_staging_lock(&s, tree.dir, "k", &err) < 0 ||
		    kernel_staging_begin(&s, &err) < 0)
			_exit(1);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_true(root_exists(&tree.root, ".new-k/entry"));
	assert_true(root_exists(&tree.root, ".lock-k"));
	kernel_staging_sweep(tree.dir);
	assert_false(root_exists(&tree.root, ".new-k"));
	assert_false(root_exists(&tree.root, ".lock-k"));
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_newest_entry_comes_first),
		cmocka_unit_test(a_cache_that_is_not_there_is_empty),
		cmocka_unit_test(metadata_that_tells_too_little_is_broken),
		cmocka_unit_test(cleaning_keeps_the_newest_valid_ones),
		cmocka_unit_test(what_is_being_made_is_left_alone),
		cmocka_unit_test(an_entry_takes_the_place_of_an_older_one),
		cmocka_unit_test(what_the_dead_left_is_swept),
	};

	return cmocka_run_group_tests_name("kernel_cache", tests, NULL, NULL);
}
