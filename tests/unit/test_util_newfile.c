// SPDX-License-Identifier: GPL-2.0-only
#include "util/newfile.h"

#include <time.h>

#include "child.h"
#include "tree.h"
#include "util/cleanup.h"

struct place {
	struct tree tree;
	char path[128];
};

static void place_init(struct place *p, const char *name)
{
	tree_init(&p->tree);
	snprintf(p->path, sizeof(p->path), "%s/%s", p->tree.dir, name);
}

static void save(const char *path, const char *text)
{
	_cleanup_(newfile_done) struct newfile f = NEWFILE_INIT;
	struct err err;

	if (newfile_open(&f, path, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(write(f.fd, text, strlen(text)), strlen(text));
	if (newfile_commit(&f, &err) < 0)
		fail_msg("%s", err.text);
}

static void assert_file(struct place *p, const char *name, const char *text)
{
	_cleanup_(strbuf_done) struct strbuf found = STRBUF_INIT;

	assert_int_equal(root_read(&p->tree.root, name, ROOT_CAP_VALUE, &found), 1);
	assert_string_equal(found.s, text);
}

static size_t count_names(struct place *p, const char *folder)
{
	_cleanup_(strv_done) struct strv names = STRV_INIT;

	assert_int_equal(root_list(&p->tree.root, folder, &names), 1);
	return names.n;
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 07777;
}

static void a_new_file_has_the_mode_of_the_umask(void **state)
{
	static const mode_t masks[] = { 022, 077, 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(masks); i++) {
		mode_t before = umask(masks[i]);
		struct place p;

		place_init(&p, "new");
		save(p.path, "text");
		umask(before);
		assert_file(&p, "new", "text");
		assert_int_equal(mode_of(p.path), 0666 & ~masks[i]);
		assert_int_equal(count_names(&p, "."), 1);
		tree_done(&p.tree);
	}
}

static void what_is_there_is_replaced_and_keeps_its_mode(void **state)
{
	struct place p;

	(void)state;
	place_init(&p, "old");
	tree_file(&p.tree, "old", "before");
	assert_int_equal(chmod(p.path, 0640), 0);
	save(p.path, "after");
	assert_file(&p, "old", "after");
	assert_int_equal(mode_of(p.path), 0640);
	assert_int_equal(count_names(&p, "."), 1);
	tree_done(&p.tree);
}

static void links_stay_and_lead_to_the_new_file(void **state)
{
	static const struct {
		const char *label, *link, *file;
		bool there;
	} rows[] = {
		{ "in the same folder", "file", "file", true },
		{ "in another", "a/b/file", "a/b/file", true },
		{ "by two links", "second", "a/file", true },
		{ "to what is not there yet", "a/none", "a/none", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct stat st;
		struct place p;

		place_init(&p, "link");
		tree_parents(&p.tree, "a/b/x");
		tree_link(&p.tree, "link", rows[i].link);
		tree_link(&p.tree, "second", "a/file");
		if (rows[i].there)
			tree_file(&p.tree, rows[i].file, "before");
		save(p.path, "after");
		assert_int_equal(lstat(p.path, &st), 0);
		assert_true(S_ISLNK(st.st_mode));
		assert_file(&p, rows[i].file, "after");
		assert_int_equal(count_names(&p, "a") <= 2, 1);
		tree_done(&p.tree);
	}
}

static void what_is_given_up_leaves_no_trace(void **state)
{
	struct place p;

	(void)state;
	for (int there = 0; there <= 1; there++) {
		struct newfile f = NEWFILE_INIT;
		struct err err;

		place_init(&p, "file");
		if (there)
			tree_file(&p.tree, "file", "before");
		assert_int_equal(newfile_open(&f, p.path, &err), 0);
		assert_int_equal(write(f.fd, "half", 4), 4);
		/* Nobody sees it before it is complete. */
		assert_int_equal(count_names(&p, "."), there);
		newfile_done(&f);
		assert_int_equal(count_names(&p, "."), there);
		if (there)
			assert_file(&p, "file", "before");
		tree_done(&p.tree);
	}
}

static void what_cannot_be_a_file_is_refused_with_path_and_cause(void **state)
{
	static const struct {
		const char *label, *name, *words;
		int code;
	} rows[] = {
		{ "a folder", "folder", "Is a directory", -EISDIR },
		{ "a slash at the end", "none/", "Is a directory", -EISDIR },
		{ "no such folder", "none/file", "No such file or directory", -ENOENT },
		{ "below a file", "file/file", "Not a directory", -ENOTDIR },
		{ "a link to itself", "loop", "Too many levels of symbolic links", -ELOOP },
	};
	struct place p;

	(void)state;
	place_init(&p, "");
	tree_file(&p.tree, "folder/file", "");
	tree_file(&p.tree, "file", "");
	tree_link(&p.tree, "loop", "loop");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(newfile_done) struct newfile f = NEWFILE_INIT;
		char path[128];
		struct err err;
		int e;

		snprintf(path, sizeof(path), "%s/%s", p.tree.dir, rows[i].name);
		e = newfile_open(&f, path, &err);
		if (e != rows[i].code || !strstr(err.text, rows[i].words) ||
		    !strstr(err.text, path))
			fail_msg("%s: %d, '%s'", rows[i].label, e, err.text);
	}
	assert_int_equal(count_names(&p, "."), 3);
	tree_done(&p.tree);
}

static void save_as_user(const void *path)
{
	struct newfile f = NEWFILE_INIT;
	struct err err;

	if (geteuid() == 0 && seteuid(65534) < 0)
		_exit(1);
	_exit(newfile_open(&f, path, &err) == -EACCES ? 0 : 2);
}

static void a_file_that_may_not_be_written_is_not_replaced(void **state)
{
	struct place p;

	(void)state;
	place_init(&p, "file");
	tree_file(&p.tree, "file", "before");
	assert_int_equal(chmod(p.path, 0444), 0);
	assert_int_equal(chmod(p.tree.dir, 0777), 0);
	assert_int_equal(child_status(save_as_user, p.path), 0);
	assert_file(&p, "file", "before");
	tree_done(&p.tree);
}

static void a_fifo_and_a_device_are_written_to(void **state)
{
	_cleanup_close_ int reader = -1;
	struct place p;
	char got[8] = {};

	(void)state;
	place_init(&p, "fifo");
	assert_int_equal(mkfifo(p.path, 0600), 0);
	reader = open(p.path, O_RDWR | O_CLOEXEC);
	assert_true(reader >= 0);
	save(p.path, "text");
	assert_int_equal(read(reader, got, sizeof(got)), 4);
	assert_string_equal(got, "text");
	tree_done(&p.tree);
	save("/dev/null", "text");
}

/* /dev/stdout leads to a file by such a link. */
static void a_link_of_proc_leads_to_the_file_also_when_its_name_is_gone(void **state)
{
	struct place p;
	char link[64], got[8] = {};
	int fd;

	(void)state;
	place_init(&p, "file");
	tree_file(&p.tree, "file", "a longer text before");
	fd = open(p.path, O_RDWR | O_CLOEXEC);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	save(link, "one");
	assert_file(&p, "file", "one");
	close(fd);
	fd = open(p.path, O_RDWR | O_CLOEXEC);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	assert_int_equal(unlink(p.path), 0);
	save(link, "two");
	assert_int_equal(pread(fd, got, sizeof(got), 0), 3);
	assert_string_equal(got, "two");
	assert_int_equal(count_names(&p, "."), 0);
	close(fd);
	tree_done(&p.tree);
}

/* The name that replacing goes through, seen in the middle of it. */
static void hidden_name(struct place *p, char *ret, size_t n)
{
	struct newfile f = NEWFILE_INIT;
	struct err err;

	/* Something that cannot be renamed to keeps it from going on. */
	assert_int_equal(newfile_open(&f, p->path, &err), 0);
	f.replaces = false;
	assert_int_equal(mkdir(p->path, 0755), 0);
	assert_true(newfile_commit(&f, &err) < 0);
	assert_non_null(f.hidden);
	snprintf(ret, n, "%s", f.hidden);
	assert_int_equal(count_names(p, "."), 2);
	newfile_done(&f);
	assert_int_equal(count_names(p, "."), 1);
	assert_int_equal(rmdir(p->path), 0);
}

static void what_a_kill_left_is_put_away_by_the_next(void **state)
{
	char hidden[64];
	struct place p;

	(void)state;
	place_init(&p, "file");
	hidden_name(&p, hidden, sizeof(hidden));
	tree_file(&p.tree, "file", "before");
	tree_file(&p.tree, hidden, "left");
	save(p.path, "after");
	assert_file(&p, "file", "after");
	assert_int_equal(count_names(&p, "."), 1);
	/* A folder of that name is none of ours. */
	assert_int_equal(mkdirat(p.tree.root.fd, hidden, 0755), 0);
	save(p.path, "again");
	assert_file(&p, "file", "again");
	assert_int_equal(count_names(&p, "."), 2);
	tree_done(&p.tree);
}

static void save_for_ever(const void *path)
{
	static char text[4096];

	memset(text, 'n', sizeof(text) - 1);
	for (;;)
		save(path, text);
}

/* Old or new, whole, and at most the one hidden file, whole as well. */
static void check_after_kill(struct place *p)
{
	_cleanup_(strv_done) struct strv names = STRV_INIT;

	assert_int_equal(root_list(&p->tree.root, ".", &names), 1);
	assert_true(names.n >= 1 && names.n <= 2);
	for (size_t i = 0; i < names.n; i++) {
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

		assert_int_equal(root_read(&p->tree.root, names.v[i], ROOT_CAP_VALUE, &text), 1);
		assert_true(text.len == 4095 || slice_is(strbuf_slice(&text), "old"));
	}
}

static void a_kill_at_any_moment_leaves_a_whole_file(void **state)
{
	struct place p;

	(void)state;
	place_init(&p, "file");
	for (unsigned round = 0; round < soak_rounds(10); round++) {
		struct timespec wait = { .tv_nsec = 1000000 + round % 100 * 50000 };
		int status;
		pid_t pid;

		tree_file(&p.tree, "file", "old");
		fflush(NULL);
		pid = fork();
		assert_true(pid >= 0);
		if (pid == 0)
			save_for_ever(p.path);
		nanosleep(&wait, NULL);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		check_after_kill(&p);
	}
	save(p.path, "last");
	assert_int_equal(count_names(&p, "."), 1);
	tree_done(&p.tree);
}

static void save_a_hundred(const void *path)
{
	for (int i = 0; i < 100; i++)
		save(path, "text");
}

static void several_at_once_do_not_disturb_each_other(void **state)
{
	struct place p;
	pid_t pids[4];
	int status;

	(void)state;
	place_init(&p, "file");
	tree_file(&p.tree, "file", "old");
	fflush(NULL);
	for (size_t i = 0; i < ARRAY_SIZE(pids); i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i] == 0) {
			save_a_hundred(p.path);
			_exit(0);
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(pids); i++) {
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	assert_file(&p, "file", "text");
	assert_int_equal(count_names(&p, "."), 1);
	tree_done(&p.tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_file_has_the_mode_of_the_umask),
		cmocka_unit_test(what_is_there_is_replaced_and_keeps_its_mode),
		cmocka_unit_test(links_stay_and_lead_to_the_new_file),
		cmocka_unit_test(what_is_given_up_leaves_no_trace),
		cmocka_unit_test(what_cannot_be_a_file_is_refused_with_path_and_cause),
		cmocka_unit_test(a_file_that_may_not_be_written_is_not_replaced),
		cmocka_unit_test(a_fifo_and_a_device_are_written_to),
		cmocka_unit_test(a_link_of_proc_leads_to_the_file_also_when_its_name_is_gone),
		cmocka_unit_test(what_a_kill_left_is_put_away_by_the_next),
		cmocka_unit_test(a_kill_at_any_moment_leaves_a_whole_file),
		cmocka_unit_test(several_at_once_do_not_disturb_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
