// SPDX-License-Identifier: GPL-2.0-only
/* Folders of threads: what is listed, what is refused, and that a folder dies with its thread. */
#include "unit.h"

#include <signal.h>
#include <sys/wait.h>

#include "sys/proc_task.h"
#include "tree.h"
#include "util/cleanup.h"

static void only_plain_positive_numbers_are_processes(void **state)
{
	static const char *const names[] = { "7",    "12", "2147483647", "0",          "007", "-3",
					     "self", "1x", "sys",        "2147483648", " 9" };
	_cleanup_(proc_ids_done) struct proc_ids ids = {};
	_cleanup_(proc_dir_close) struct proc_dir proc = { .fd = -1 };
	struct tree tree;

	(void)state;
	tree_init(&tree);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char path[64];

		snprintf(path, sizeof(path), "proc/%s/stat", names[i]);
		tree_file(&tree, path, "");
	}
	assert_int_equal(proc_dir_open(&tree.root, &proc), 0);
	assert_int_equal(proc_list_processes(&proc, &ids), 0);
	assert_int_equal(ids.ids.n, 3);
	assert_int_equal(ids.ids.v[0], 7);
	assert_int_equal(ids.ids.v[1], 12);
	assert_int_equal(ids.ids.v[2], 2147483647);
	proc_ids_done(&ids);
	assert_int_equal(proc_list_threads(&proc, 7, &ids), -ENOENT);
	assert_int_equal(ids.ids.n, 0);
	tree_done(&tree);
}

static void threads_are_listed_in_order(void **state)
{
	_cleanup_(proc_ids_done) struct proc_ids ids = {};
	_cleanup_(proc_dir_close) struct proc_dir proc = { .fd = -1 };
	struct tree tree;

	(void)state;
	tree_init(&tree);
	for (unsigned tid = 3000; tid > 0; tid--) {
		char path[64];

		snprintf(path, sizeof(path), "proc/1/task/%u/stat", tid);
		tree_file(&tree, path, "");
	}
	assert_int_equal(proc_dir_open(&tree.root, &proc), 0);
	assert_int_equal(proc_list_threads(&proc, 1, &ids), 0);
	assert_int_equal(ids.ids.n, 3000);
	for (unsigned i = 0; i < 3000; i++)
		assert_int_equal(ids.ids.v[i], i + 1);
	tree_done(&tree);
}

static void a_file_is_read_whole_or_refused(void **state)
{
	static const struct {
		const char *name;
		int r;
	} rows[] = {
		{ "stat", 1 },      { "empty", 1 }, { "missing", 0 },   { "folder", -EMEDIUMTYPE },
		{ "full", -EFBIG }, { "fits", 1 },  { "link", -ELOOP }, { "fifo", -EMEDIUMTYPE },
	};
	_cleanup_(proc_dir_close) struct proc_dir proc = { .fd = -1 };
	_cleanup_close_ int dir = -1;
	struct tree tree;
	struct slice text;
	char buf[8];

	(void)state;
	tree_init(&tree);
	tree_bytes(&tree, "proc/1/task/2/stat", (struct slice){ "a\0b", 3 });
	tree_file(&tree, "proc/1/task/2/empty", "");
	tree_file(&tree, "proc/1/task/2/full", "12345678");
	tree_file(&tree, "proc/1/task/2/fits", "1234567");
	tree_file(&tree, "proc/1/task/2/folder/x", "");
	tree_link(&tree, "proc/1/task/2/link", "stat");
	assert_int_equal(mkfifoat(tree.root.fd, "proc/1/task/2/fifo", 0644), 0);
	assert_int_equal(proc_dir_open(&tree.root, &proc), 0);
	assert_int_equal(proc_open_thread(&proc, 1, 3), -ENOENT);
	dir = proc_open_thread(&proc, 1, 2);
	assert_true(dir >= 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int r = proc_read_at(&proc, dir, rows[i].name, buf, sizeof(buf), &text);

		if (r != rows[i].r)
			fail_msg("'%s': got %d", rows[i].name, r);
	}
	assert_int_equal(proc_read_at(&proc, dir, "stat", buf, sizeof(buf), &text), 1);
	assert_true(slice_eq(text, (struct slice){ "a\0b", 3 }));
	tree_done(&tree);
}

static void a_folder_dies_with_its_thread(void **state)
{
	_cleanup_(root_close) struct root root = ROOT_INIT;
	_cleanup_(proc_dir_close) struct proc_dir proc = { .fd = -1 };
	_cleanup_close_ int dir = -1;
	struct slice text;
	char buf[4096];
	pid_t child = fork();

	(void)state;
	assert_true(child >= 0);
	if (child == 0) {
		pause();
		_exit(0);
	}
	assert_int_equal(root_open(&root, "/", NULL), 0);
	assert_int_equal(proc_dir_open(&root, &proc), 0);
	dir = proc_open_thread(&proc, (uint32_t)child, (uint32_t)child);
	assert_true(dir >= 0);
	assert_int_equal(proc_read_at(&proc, dir, "stat", buf, sizeof(buf), &text), 1);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_true(proc_read_at(&proc, dir, "stat", buf, sizeof(buf), &text) <= 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_plain_positive_numbers_are_processes),
		cmocka_unit_test(threads_are_listed_in_order),
		cmocka_unit_test(a_file_is_read_whole_or_refused),
		cmocka_unit_test(a_folder_dies_with_its_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
