// SPDX-License-Identifier: GPL-2.0-only
/* Root-relative reading, on a tree made for the purpose: nothing in it may hang or lead out. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/absence.h"
#include "util/cleanup.h"
#include "util/root.h"

static char top[] = "/tmp/ktstr-root-XXXXXX";
static struct root root = ROOT_INIT;

static void put(const char *name, const char *bytes, size_t n)
{
	_cleanup_close_ int dir = open(top, O_PATH | O_DIRECTORY);
	_cleanup_close_ int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), n);
}

static int make_tree(void **state)
{
	_cleanup_free_ char *big = calloc(1, ROOT_CAP_VALUE + 1);
	_cleanup_close_ int dir = -1;

	(void)state;
	assert_non_null(mkdtemp(top));
	dir = open(top, O_PATH | O_DIRECTORY);
	assert_non_null(big);
	memset(big, '7', ROOT_CAP_VALUE + 1);
	put("value", " 42 \n", 5);
	put("empty", "", 0);
	put("blank", " \n", 2);
	put("binary", "a\0b", 3);
	put("huge", big, ROOT_CAP_VALUE + 1);
	put("full", big, ROOT_CAP_VALUE);
	put("secret", "no", 2);
	assert_int_equal(fchmodat(dir, "secret", 0, 0), 0);
	assert_int_equal(mkfifoat(dir, "fifo", 0644), 0);
	assert_int_equal(mkdirat(dir, "folder", 0755), 0);
	assert_int_equal(symlinkat("loop", dir, "loop"), 0);
	assert_int_equal(symlinkat("/value", dir, "absolute"), 0);
	assert_int_equal(symlinkat("../../../../../../etc/passwd", dir, "outside"), 0);
	assert_int_equal(root_open(&root, top, NULL), 0);
	return 0;
}

static int remove_tree(void **state)
{
	static const char *const names[] = { "value", "empty",    "blank",  "binary",
					     "huge",  "full",     "secret", "fifo",
					     "loop",  "absolute", "outside" };
	_cleanup_close_ int dir = open(top, O_PATH | O_DIRECTORY);

	(void)state;
	root_close(&root);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		unlinkat(dir, names[i], 0);
	unlinkat(dir, "folder", AT_REMOVEDIR);
	return rmdir(top);
}

static void each_kind_of_file_has_its_outcome(void **state)
{
	static const struct {
		const char *path;
		int r;
		const char *text;
	} rows[] = {
		{ "value", 1, "42" },       { "absolute", 1, "42" },  { "full", 1, NULL },
		{ "empty", 0, "" },         { "blank", 0, "" },       { "missing", 0, "" },
		{ "missing/below", 0, "" }, { "value/below", 0, "" }, { "outside", 0, "" },
		{ "binary", -EBADMSG, "" }, { "huge", -EFBIG, "" },   { "fifo", -EMEDIUMTYPE, "" },
		{ "folder", -EISDIR, "" },  { "loop", -ELOOP, "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
		int r;

		strbuf_addstr(&text, "stale");
		r = root_read_text(&root, rows[i].path, &text);
		if (r != rows[i].r)
			fail_msg("'%s': got %d (%s)", rows[i].path, r, strerror(-r));
		if (rows[i].text)
			assert_string_equal(text.s, rows[i].text);
	}
}

static void a_file_without_permission_says_so(void **state)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	int r;

	(void)state;
	/* The file system lets root read everything; drop the right for this test only. */
	if (geteuid() == 0)
		assert_int_equal(seteuid(65534), 0);
	r = root_read_text(&root, "secret", &text);
	if (getuid() == 0)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(r, -EACCES);
	assert_int_equal(absence_of(r), ABSENCE_PERMISSION);
}

static void numbers_are_read_whole_or_not_at_all(void **state)
{
	uint64_t v = 7;

	(void)state;
	assert_int_equal(root_read_u64(&root, "value", &v), 1);
	assert_int_equal(v, 42);
	assert_int_equal(root_read_u64(&root, "full", &v), -ERANGE);
	assert_int_equal(root_read_u64(&root, "missing", &v), 0);
	assert_int_equal(v, 42);
}

static void folders_list_in_order(void **state)
{
	_cleanup_(strv_done) struct strv names = STRV_INIT;

	(void)state;
	assert_int_equal(root_list(&root, ".", &names), 1);
	assert_int_equal(names.n, 12);
	assert_string_equal(names.v[0], "absolute");
	assert_string_equal(names.v[11], "value");
	strv_done(&names);
	assert_int_equal(root_list(&root, "folder", &names), 1);
	assert_int_equal(names.n, 0);
	assert_int_equal(root_list(&root, "missing", &names), 0);
	assert_int_equal(root_list(&root, "value", &names), 0);
}

static void a_link_tells_where_it_leads_and_what_is_there(void **state)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct stat st;

	(void)state;
	strbuf_addstr(&text, "stale");
	assert_int_equal(root_readlink(&root, "absolute", &text), 1);
	assert_string_equal(text.s, "/value");
	assert_int_equal(root_readlink(&root, "loop", &text), 1);
	assert_string_equal(text.s, "loop");
	assert_int_equal(root_readlink(&root, "value", &text), -EINVAL);
	assert_string_equal(text.s, "");
	assert_int_equal(root_readlink(&root, "missing", &text), 0);
	assert_int_equal(root_stat(&root, "absolute", &st), 1);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(root_stat(&root, "folder", &st), 1);
	assert_true(S_ISDIR(st.st_mode));
	assert_int_equal(root_stat(&root, "missing", &st), 0);
	assert_int_equal(root_stat(&root, "loop", &st), -ELOOP);
}

struct seen {
	int n;
	int last;
};

static void note(void *ctx, const char *path, int outcome)
{
	struct seen *seen = ctx;

	(void)path;
	seen->n++;
	seen->last = outcome;
}

static void every_look_is_reported(void **state)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct seen seen = {};

	(void)state;
	root.seen = note;
	root.seen_ctx = &seen;
	assert_int_equal(root_read(&root, "value", ROOT_CAP_VALUE, &text), 1);
	assert_int_equal(seen.last, 1);
	assert_int_equal(root_read(&root, "missing", ROOT_CAP_VALUE, &text), 0);
	assert_int_equal(seen.last, 0);
	assert_true(root_exists(&root, "folder"));
	assert_false(root_exists(&root, "missing"));
	assert_int_equal(seen.n, 4);
	root.seen = NULL;
}

static void only_the_real_root_is_live(void **state)
{
	struct root slash, nowhere;
	struct err err;

	(void)state;
	assert_false(root.live);
	assert_int_equal(root_open(&slash, "/", NULL), 0);
	assert_true(slash.live);
	root_close(&slash);
	assert_int_equal(root_open(&nowhere, "/no/such/folder", &err), -ENOENT);
	assert_string_equal(err.text, "cannot open '/no/such/folder': No such file or directory");
}

static void a_path_is_shown_as_seen_from_outside(void **state)
{
	static const struct {
		const char *dir, *shown;
	} rows[] = {
		{ "/", "/proc/stat" },
		{ "/dev", "/dev/proc/stat" },
		{ "/dev/", "/dev/proc/stat" },
		{ ".", "./proc/stat" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(root_close) struct root here = ROOT_INIT;
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

		assert_int_equal(root_open(&here, rows[i].dir, NULL), 0);
		root_add_path(&here, "proc/stat", &text);
		assert_string_equal(text.s, rows[i].shown);
	}
}

static void a_graft_takes_the_place_of_a_folder(void **state)
{
	static const struct {
		const char *path;
		int r;
	} rows[] = {
		{ "proc/value", 1 },   { "proc//value", 1 },   { "proc/absolute", 1 },
		{ "proc/outside", 0 }, { "process/value", 0 }, { "proc", -EISDIR },
		{ "value", 0 },
	};
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	_cleanup_(root_close) struct root grafted = ROOT_INIT;
	struct err err;

	(void)state;
	assert_int_equal(root_open(&grafted, "/", NULL), 0);
	assert_true(grafted.live);
	assert_int_equal(root_graft(&grafted, "sys", "/nonexistent", &err), -ENOENT);
	assert_string_equal(err.text, "cannot open '/nonexistent': No such file or directory");
	assert_true(grafted.live);
	assert_int_equal(root_graft(&grafted, "proc", top, NULL), 0);
	assert_false(grafted.live);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int r = root_read_text(&grafted, rows[i].path, &text);

		if (r != rows[i].r)
			fail_msg("'%s': got %d", rows[i].path, r);
	}
	strbuf_reset(&text);
	root_add_path(&grafted, "proc/1/stat", &text);
	assert_int_equal(strncmp(text.s, top, strlen(top)), 0);
	assert_string_equal(text.s + strlen(top), "/1/stat");
	assert_true(root_exists(&grafted, "etc"));
}

static atomic_bool stop_renaming;

static void *rename_all_the_time(void *unused)
{
	_cleanup_close_ int dir = open(top, O_PATH | O_DIRECTORY);
	int names = 0;

	while (!atomic_load(&stop_renaming)) {
		(void)renameat(dir, "moving", dir, "moved");
		(void)renameat(dir, "moved", dir, "moving");
		names++;
	}
	(void)unused;
	return names ? top : NULL;
}

/* The kernel answers EAGAIN for a path that goes up while something is renamed. */
static void what_others_rename_does_not_disturb(void **state)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	_cleanup_close_ int dir = open(top, O_PATH | O_DIRECTORY);
	pthread_t other;
	void *renamed;

	(void)state;
	put("moving", "", 0);
	assert_int_equal(symlinkat("../value", dir, "folder/up"), 0);
	assert_int_equal(pthread_create(&other, NULL, rename_all_the_time, NULL), 0);
	for (unsigned i = 0; i < soak_rounds(20000); i++) {
		int r = root_read_text(&root, "folder/up", &text);

		if (r != 1)
			fail_msg("round %u: %d", i, r);
	}
	atomic_store(&stop_renaming, true);
	assert_int_equal(pthread_join(other, &renamed), 0);
	assert_non_null(renamed);
	unlinkat(dir, "folder/up", 0);
	unlinkat(dir, "moving", 0);
}

static void every_failure_has_a_reason(void **state)
{
	static const struct {
		int r;
		enum absence why;
	} rows[] = {
		{ 1, ABSENCE_NONE },
		{ 0, ABSENCE_UNSUPPORTED },
		{ -EACCES, ABSENCE_PERMISSION },
		{ -EPERM, ABSENCE_PERMISSION },
		{ -ESRCH, ABSENCE_ENDED },
		{ -EOPNOTSUPP, ABSENCE_UNSUPPORTED },
		{ -EMEDIUMTYPE, ABSENCE_ERROR },
		{ -EIO, ABSENCE_ERROR },
		{ -EFBIG, ABSENCE_ERROR },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(absence_of(rows[i].r), rows[i].why);
	assert_string_equal(absence_name(ABSENCE_NOT_COVERED), "not_covered");
	assert_string_equal(absence_words(ABSENCE_DISABLED), "switched off");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_file_has_its_outcome),
		cmocka_unit_test(a_file_without_permission_says_so),
		cmocka_unit_test(numbers_are_read_whole_or_not_at_all),
		cmocka_unit_test(folders_list_in_order),
		cmocka_unit_test(a_link_tells_where_it_leads_and_what_is_there),
		cmocka_unit_test(every_look_is_reported),
		cmocka_unit_test(only_the_real_root_is_live),
		cmocka_unit_test(a_path_is_shown_as_seen_from_outside),
		cmocka_unit_test(a_graft_takes_the_place_of_a_folder),
		cmocka_unit_test(what_others_rename_does_not_disturb),
		cmocka_unit_test(every_failure_has_a_reason),
	};

	return cmocka_run_group_tests_name("root", tests, make_tree, remove_tree);
}
