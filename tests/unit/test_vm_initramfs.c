// SPDX-License-Identifier: GPL-2.0-only
/* The archive, as cpio(1) reads it. */
#include "vm/initramfs.h"

#include <errno.h>
#include <limits.h>
#include <sys/sysmacros.h>

#include "child.h"
#include "shell.h"
#include "tree.h"
#include "util/alloc.h"
#include "util/cleanup.h"

static struct tree tree;

static void initramfs_freep(struct initramfs **fs)
{
	initramfs_free(*fs);
}

#define _cleanup_fs_ _cleanup_(initramfs_freep) struct initramfs

/* What "cpio -itv" prints; names only with @how "-it". */
static void list(const struct initramfs *fs, const char *how, struct strbuf *ret)
{
	_cleanup_(strbuf_done) struct strbuf bytes = STRBUF_INIT;

	initramfs_write(fs, &bytes);
	assert_int_equal(bytes.len % 4, 0);
	tree_bytes(&tree, "archive", strbuf_slice(&bytes));
	shell(ret, "cd %s && TZ=UTC cpio --quiet <archive %s", tree.dir, how);
}

/* Into the folder "out". */
static void extract(const struct initramfs *fs)
{
	_cleanup_(strbuf_done) struct strbuf bytes = STRBUF_INIT;

	initramfs_write(fs, &bytes);
	tree_bytes(&tree, "archive", strbuf_slice(&bytes));
	shell(NULL, "cd %s && rm -rf out && mkdir out && cd out && cpio -i --quiet <../archive",
	      tree.dir);
}

static void check_file(const char *path, struct slice bytes)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

	assert_int_equal(root_read(&tree.root, path, ROOT_CAP_FILE, &text), 1);
	assert_true(slice_eq(strbuf_slice(&text), bytes));
}

static void every_kind_is_read_back(void **state)
{
	_cleanup_fs_ *fs = initramfs_new();
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

	(void)state;
	initramfs_add_dir(fs, "/tmp", 01777);
	initramfs_add_link(fs, "/bin/sh", "busybox");
	initramfs_add_bytes(fs, "/args", 0644, SLICE_LIT("a\0b\nc"));
	initramfs_add_bytes(fs, "/empty", 0400, SLICE_LIT(""));
	initramfs_add_node(fs, "/dev/console", S_IFCHR | 0600, 5, 1);
	list(fs, "-itv", &text);
	assert_string_equal(
		text.s, "-rw-r--r--   1 root     root            5 Jan  1  1970 args\n"
			"drwxr-xr-x   2 root     root            0 Jan  1  1970 bin\n"
			"lrwxrwxrwx   1 root     root            7 Jan  1  1970 bin/sh -> busybox\n"
			"drwxr-xr-x   2 root     root            0 Jan  1  1970 dev\n"
			"crw-------   1 root     root       5,   1 Jan  1  1970 dev/console\n"
			"-r--------   1 root     root            0 Jan  1  1970 empty\n"
			"drwxrwxrwt   2 root     root            0 Jan  1  1970 tmp\n"
			"-r--r--r--   1 root     root            0 Jan  1  1970 .ktstr-complete\n");
	initramfs_add_dir(fs, "/dev", 0755);
	initramfs_add_bytes(fs, "/dev/console", 0600, SLICE_LIT("not a node: needs no root"));
	extract(fs);
	check_file("out/args", SLICE_LIT("a\0b\nc"));
	check_file("out/empty", SLICE_LIT(""));
	check_file("out/dev/console", SLICE_LIT("not a node: needs no root"));
}

/* What the archive has to be byte for byte, with nothing of this host in it. */
static void the_bytes_are_those_of_the_format(void **state)
{
	static const char expected[] = "070701"
				       "00000001"
				       "000081A4"
				       "00000000"
				       "00000000"
				       "00000001"
				       "00000000"
				       "00000003"
				       "00000000"
				       "00000000"
				       "00000000"
				       "00000000"
				       "00000002"
				       "00000000"
				       "a\0"
				       "xyz\0"
				       "070701"
				       "00000002"
				       "00008124"
				       "00000000"
				       "00000000"
				       "00000001"
				       "00000000"
				       "00000000"
				       "00000000"
				       "00000000"
				       "00000000"
				       "00000000"
				       "00000010"
				       "00000000"
				       ".ktstr-complete\0"
				       "\0\0"
				       "070701"
				       "00000000"
				       "00000000"
				       "00000000"
				       "00000000"
				       "00000001"
				       "00000000"
				       "00000000"
				       "00000000"
				       "00000000"
				       "00000000"
				       "00000000"
				       "0000000B"
				       "00000000"
				       "TRAILER!!!\0"
				       "\0\0";
	_cleanup_fs_ *fs = initramfs_new();
	_cleanup_(strbuf_done) struct strbuf bytes = STRBUF_INIT;

	(void)state;
	initramfs_add_bytes(fs, "/a", 0644, SLICE_LIT("xyz"));
	initramfs_write(fs, &bytes);
	assert_int_equal(bytes.len, sizeof(expected));
	assert_memory_equal(bytes.s, expected, sizeof(expected));
}

static void add_one(struct initramfs *fs, unsigned i)
{
	switch (i) {
	case 0:
		initramfs_add_dir(fs, "/a", 0700);
		break;
	case 1:
		initramfs_add_bytes(fs, "/a/b/c", 0644, SLICE_LIT("1"));
		break;
	case 2:
		initramfs_add_link(fs, "/a-b", "a");
		break;
	case 3:
		initramfs_add_bytes(fs, "/a/b.c", 0644, SLICE_LIT("2"));
		break;
	case 4:
		initramfs_add_node(fs, "/a/b/n", S_IFCHR | 0666, 1, 3);
		break;
	}
}

static void the_order_of_adding_does_not_matter(void **state)
{
	_cleanup_(strbuf_done) struct strbuf first = STRBUF_INIT;

	(void)state;
	for (unsigned start = 0; start < 5; start++)
		for (unsigned step = 1; step < 5; step++) {
			_cleanup_fs_ *fs = initramfs_new();
			_cleanup_(strbuf_done) struct strbuf bytes = STRBUF_INIT;

			for (unsigned i = 0; i < 5; i++)
				add_one(fs, (start + i * step) % 5);
			initramfs_write(fs, &bytes);
			if (!first.len)
				strbuf_addslice(&first, strbuf_slice(&bytes));
			assert_true(slice_eq(strbuf_slice(&first), strbuf_slice(&bytes)));
		}
}

static void a_path_given_again_replaces_what_was_there(void **state)
{
	_cleanup_fs_ *fs = initramfs_new();
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

	(void)state;
	initramfs_add_bytes(fs, "/x", 0644, SLICE_LIT("old and long"));
	initramfs_add_bytes(fs, "/x", 0600, SLICE_LIT("new"));
	initramfs_add_link(fs, "/y", "x");
	initramfs_add_dir(fs, "/y", 0755);
	initramfs_add_bytes(fs, "/y/z", 0644, SLICE_LIT(""));
	initramfs_add_dir(fs, "/y", 0700);
	list(fs, "-itv | awk '{print $1, $NF}'", &text);
	assert_string_equal(text.s, "-rw------- x\n"
				    "drwx------ y\n"
				    "-rw-r--r-- y/z\n"
				    "-r--r--r-- .ktstr-complete\n");
	extract(fs);
	check_file("out/x", SLICE_LIT("new"));
}

static void long_names_are_kept(void **state)
{
	_cleanup_fs_ *fs = initramfs_new();
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;

	(void)state;
	while (path.len < PATH_MAX) {
		strbuf_addch(&path, '/');
		for (int i = 0; i < NAME_MAX; i++)
			strbuf_addch(&path, 'n');
	}
	strbuf_setlen(&path, PATH_MAX - 1);
	initramfs_add_bytes(fs, path.s, 0644, SLICE_LIT("deep"));
	list(fs, "-it | awk '{print length}' | sort -n | tail -1", &text);
	assert_string_equal(text.s, "4094\n");
}

static const struct bad_path {
	const char *label, *path;
	int code;
} bad_paths[] = {
	{ "relative", "bin/sh", -EINVAL },
	{ "empty", "", -EINVAL },
	{ "the root", "/", -EINVAL },
	{ "leads out", "/../etc/passwd", -EINVAL },
	{ "leads up", "/a/../b", -EINVAL },
	{ "ends upwards", "/a/..", -EINVAL },
	{ "a dot", "/./a", -EINVAL },
	{ "two slashes", "//a", -EINVAL },
	{ "two slashes later", "/a//b", -EINVAL },
	{ "a slash at the end", "/a/", -EINVAL },
	{ "the sentinel", INITRAMFS_SENTINEL, -EINVAL },
	{ "the end of the archive", "/TRAILER!!!", -EINVAL },
};

static void add_bytes_at(const void *arg)
{
	const struct bad_path *row = arg;

	initramfs_add_bytes(initramfs_new(), row->path, 0644, SLICE_LIT(""));
}

static void hostile_paths_are_refused(void **state)
{
	_cleanup_fs_ *fs = initramfs_new();
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad_paths); i++) {
		print_message("# %s\n", bad_paths[i].label);
		assert_int_equal(initramfs_add_file(fs, bad_paths[i].path, "/etc/passwd", &err),
				 bad_paths[i].code);
		assert_int_equal(initramfs_add_program(fs, bad_paths[i].path, "/bin/ls", &err),
				 bad_paths[i].code);
		/* Those of our own making are a mistake of ours. */
		assert_int_equal(child_status(add_bytes_at, &bad_paths[i]), CHILD_ABORTED);
	}
	for (int i = 0; i < NAME_MAX + 1; i++)
		strbuf_addstr(&path, i ? "n" : "/n");
	assert_int_equal(initramfs_add_file(fs, path.s, "/etc/passwd", &err), -ENAMETOOLONG);
	while (path.len < PATH_MAX)
		strbuf_addstr(&path, "/n");
	assert_int_equal(initramfs_add_file(fs, path.s, "/etc/passwd", &err), -ENAMETOOLONG);
}

static void nothing_can_be_below_what_is_no_folder(void **state)
{
	_cleanup_fs_ *fs = initramfs_new();
	struct err err;

	(void)state;
	initramfs_add_link(fs, "/link", "bin");
	initramfs_add_bytes(fs, "/bin/x", 0644, SLICE_LIT(""));
	assert_int_equal(initramfs_add_file(fs, "/link/a", "/etc/passwd", &err), -ENOTDIR);
	assert_string_equal(err.text, "'/link/a' cannot be below '/link', which is no folder");
	assert_int_equal(initramfs_add_file(fs, "/bin/x/a", "/etc/passwd", &err), -ENOTDIR);
	assert_int_equal(initramfs_add_file(fs, "/bin", "/etc/passwd", &err), -EISDIR);
	assert_string_equal(err.text, "'/bin' is a folder with something in it");
}

static void what_is_no_file_or_too_large_is_refused(void **state)
{
	static const struct {
		const char *from;
		int code;
		const char *words;
	} rows[] = {
		{ "/no/such/file", -ENOENT, "'/no/such/file': No such file or directory" },
		{ "/etc", -EISDIR, "'/etc': Is a directory" },
		{ "/dev/zero", -EMEDIUMTYPE, "'/dev/zero': no regular file" },
		{ "fifo", -EMEDIUMTYPE, "'fifo': no regular file" },
		{ "large", -EFBIG, "'large' is too large: an initramfs holds less than 4 GiB" },
	};
	_cleanup_fs_ *fs = initramfs_new();

	(void)state;
	assert_int_equal(chdir(tree.dir), 0);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	tree_file(&tree, "large", "");
	assert_int_equal(truncate("large", INT64_C(1) << 32), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct err err;

		assert_int_equal(initramfs_add_file(fs, "/x", rows[i].from, &err), rows[i].code);
		assert_string_equal(err.text, rows[i].words);
	}
	assert_int_equal(chdir("/"), 0);
}

static void files_keep_content_and_whether_they_run(void **state)
{
	_cleanup_fs_ *fs = initramfs_new();
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	char path[64];
	struct err err;

	(void)state;
	for (unsigned mode = 0600; mode <= 0700; mode += 0100) {
		tree_file(&tree, "f", "content");
		assert_int_equal(fchmodat(tree.root.fd, "f", mode, 0), 0);
		snprintf(path, sizeof(path), "%s/f", tree.dir);
		assert_int_equal(initramfs_add_file(fs, mode == 0600 ? "/a" : "/b", path, &err), 0);
	}
	/* Its size is told as 0. */
	assert_int_equal(initramfs_add_file(fs, "/c", "/proc/self/cmdline", &err), 0);
	list(fs, "-itv | awk '{print $1, $NF}'", &text);
	assert_int_equal(strncmp(text.s, "-rw-r--r-- a\n-rwxr-xr-x b\n-rw-r--r-- c\n", 39), 0);
	extract(fs);
	check_file("out/b", SLICE_LIT("content"));
	assert_int_equal(root_read_text(&tree.root, "out/a", &text), 1);
	assert_int_equal(root_read(&tree.root, "out/c", ROOT_CAP_FILE, &text), 1);
	assert_true(text.len > 0);
}

/* With nothing but the archive's files, if this may be tried. */
static bool can_chroot(void)
{
	return geteuid() == 0 && system("chroot / true 2>/dev/null") == 0;
}

static void a_program_runs_from_the_archive_alone(void **state)
{
	_cleanup_fs_ *fs = initramfs_new();
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	_cleanup_free_ char *from = NULL;
	struct err err = {};

	(void)state;
	if (!can_chroot())
		skip();
	shell(NULL,
	      "cd %s && mkdir -p x/bin x/lib && echo 'int one(void){return 42;}' | "
	      "gcc -xc - -shared -fPIC -Wl,-soname,libone.so.1 -o x/lib/libone.so.1 && "
	      "ln -s libone.so.1 x/lib/libone.so && "
	      "echo 'int one(void);int main(void){return one();}' | gcc -xc - -o x/bin/prog "
	      "-Lx/lib -lone -Wl,-rpath,'$ORIGIN/../lib'",
	      tree.dir);
	assert_true(asprintf(&from, "%s/x/bin/prog", tree.dir) > 0);
	if (initramfs_add_program(fs, "/opt/bin/prog", from, &err) < 0 ||
	    initramfs_add_program(fs, "/bin/ls", "/bin/ls", &err) < 0)
		fail_msg("%s", err.text);
	extract(fs);
	/* $ORIGIN is known through /proc only. */
	shell(&text,
	      "cd %s/out && chroot . /bin/ls /opt/lib && mkdir proc && unshare -m sh -c "
	      "'mount --bind /proc proc && chroot . /opt/bin/prog; echo $?'",
	      tree.dir);
	assert_string_equal(text.s, "libone.so.1\n42\n");
}

static void a_script_comes_with_what_runs_it(void **state)
{
	_cleanup_fs_ *fs = initramfs_new();
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	_cleanup_free_ char *from = NULL;
	struct err err = {};

	(void)state;
	if (!can_chroot())
		skip();
	tree_file(&tree, "script", "#!/bin/bash\necho \"hello from $0\"\n");
	assert_true(asprintf(&from, "%s/script", tree.dir) > 0);
	if (initramfs_add_program(fs, "/run-me", from, &err) < 0)
		fail_msg("%s", err.text);
	extract(fs);
	shell(&text, "cd %s/out && chroot . /run-me", tree.dir);
	assert_string_equal(text.s, "hello from /run-me\n");
}

static void one_file_under_two_names_stays_one(void **state)
{
	_cleanup_fs_ *fs = initramfs_new();
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct err err;

	(void)state;
	assert_int_equal(initramfs_add_program(fs, "/bin/a", "/bin/ls", &err), 0);
	assert_int_equal(initramfs_add_program(fs, "/bin/b", "/bin/ls", &err), 0);
	extract(fs);
	shell(&text, "cd %s/out && cmp bin/a /bin/ls && stat -c %%h bin/b", tree.dir);
	assert_string_equal(text.s, "2\n");
	/* One that is replaced is not among them any more. */
	initramfs_add_bytes(fs, "/bin/b", 0644, SLICE_LIT("b"));
	extract(fs);
	strbuf_reset(&text);
	shell(&text, "cd %s/out && cmp bin/a /bin/ls && stat -c %%h bin/a", tree.dir);
	assert_string_equal(text.s, "1\n");
}

static void two_libraries_for_one_path_are_refused(void **state)
{
	_cleanup_fs_ *fs = initramfs_new();
	struct err err = {};
	char from[64];

	(void)state;
	for (int i = 0; i < 2; i++) {
		shell(NULL,
		      "mkdir -p %s/%d && cd %s/%d && echo 'int x = %d;' | gcc -xc - -shared -fPIC "
		      "-o "
		      "libx.so && echo 'extern int x;int main(void){return x;}' | gcc -xc - -o "
		      "prog "
		      "-L. -lx -Wl,-rpath,'$ORIGIN'",
		      tree.dir, i, tree.dir, i, i);
		snprintf(from, sizeof(from), "%s/%d/prog", tree.dir, i);
		assert_int_equal(initramfs_add_program(fs, i ? "/bin/one" : "/bin/zero", from,
						       &err),
				 i ? -EEXIST : 0);
	}
	assert_non_null(strstr(err.text, "/1/libx.so' has to be at '/bin/libx.so', where '"));
	assert_non_null(strstr(err.text, "/0/libx.so' is already"));
}

static int make_tree(void **state)
{
	(void)state;
	tree_init(&tree);
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	tree_done(&tree);
	return 0;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_tree, remove_tree)
	const struct CMUnitTest tests[] = {
		TEST(every_kind_is_read_back),
		TEST(the_bytes_are_those_of_the_format),
		TEST(the_order_of_adding_does_not_matter),
		TEST(a_path_given_again_replaces_what_was_there),
		TEST(long_names_are_kept),
		TEST(hostile_paths_are_refused),
		TEST(nothing_can_be_below_what_is_no_folder),
		TEST(what_is_no_file_or_too_large_is_refused),
		TEST(files_keep_content_and_whether_they_run),
		TEST(a_program_runs_from_the_archive_alone),
		TEST(a_script_comes_with_what_runs_it),
		TEST(one_file_under_two_names_stays_one),
		TEST(two_libraries_for_one_path_are_refused),
	};

	return cmocka_run_group_tests_name("initramfs", tests, NULL, NULL);
}
