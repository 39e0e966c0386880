// SPDX-License-Identifier: GPL-2.0-only
/* The cache of compressed archives: right, whatever is found in it. */
#include <errno.h>
#include <sys/wait.h>

#include "tree.h"
#include "util/cleanup.h"
#include "vm/initramfs_tree.h"
#include "zfile/zfile.h"

#define CAP (UINT64_C(64) << 20)

static struct tree tree;

/* An archive with a file of @n bytes that cannot be compressed and depend on @seed. */
static struct initramfs *archive(unsigned seed, size_t n)
{
	struct initramfs *fs = initramfs_new();
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	uint64_t x = seed + 1;

	while (text.len < n) {
		x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
		strbuf_add(&text, (const char *)&x + 4, 4);
	}
	initramfs_add_bytes(fs, "/data", 0644, (struct slice){ text.s, n });
	return fs;
}

static uint64_t identity(const struct stat *st)
{
	return (uint64_t)st->st_dev << 32 ^ st->st_ino;
}

/* Returns which file came. */
static uint64_t get(const struct initramfs *fs, uint64_t cap)
{
	_cleanup_(strbuf_done) struct strbuf expected = STRBUF_INIT;
	_cleanup_free_ char *bytes = NULL;
	uint64_t unpacked = 0;
	struct zreader *z;
	struct stat st;
	struct err err = {};
	size_t n = 0;
	ssize_t got;
	int fd = initramfs_cached_in(fs, tree.dir, cap, &unpacked, &err);

	if (fd < 0)
		fail_msg("%s", err.text);
	initramfs_write(fs, &expected);
	assert_int_equal(unpacked, expected.len);
	bytes = malloc(expected.len + 1);
	assert_non_null(bytes);
	z = zreader_new(fd, NULL, &err);
	while ((got = zreader_read(z, bytes + n, expected.len + 1 - n)) > 0)
		n += (size_t)got;
	assert_int_equal(got, 0);
	zreader_free(z);
	assert_int_equal(n, expected.len);
	assert_memory_equal(bytes, expected.s, n);
	assert_int_equal(fstat(fd, &st), 0);
	close(fd);
	return identity(&st);
}

static void names(struct strv *ret)
{
	assert_int_equal(root_list(&tree.root, ".", ret), 1);
}

/* The only file in the cache. */
static uint64_t only_file(void)
{
	_cleanup_(strv_done) struct strv found = STRV_INIT;
	struct stat st;

	names(&found);
	assert_int_equal(found.n, 1);
	assert_int_equal(fstatat(tree.root.fd, found.v[0], &st, AT_SYMLINK_NOFOLLOW), 0);
	return identity(&st);
}

static void the_second_call_finds_it(void **state)
{
	struct initramfs *fs = archive(0, 100000), *same = archive(0, 100000);
	uint64_t first, second;

	(void)state;
	first = get(fs, CAP);
	second = get(same, CAP);
	assert_true(first != second);
	assert_int_equal(second, only_file());
	assert_int_equal(get(fs, CAP), second);
	initramfs_free(fs);
	initramfs_free(same);
}

static void other_content_is_another_file(void **state)
{
	_cleanup_(strv_done) struct strv found = STRV_INIT;

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct initramfs *fs = archive(i / 2, 1000 + i % 2);

		get(fs, CAP);
		initramfs_free(fs);
	}
	names(&found);
	assert_int_equal(found.n, 4);
}

enum damage {
	FLIPPED,
	CUT,
	EMPTY,
	LONGER,
	OF_ANOTHER,
	WRITABLE,
	A_LINK,
	DAMAGE_COUNT
};

static void do_damage(enum damage how, const char *name)
{
	_cleanup_close_ int fd = openat(tree.root.fd, name, O_RDWR | O_CLOEXEC);
	struct stat st;
	char c;

	assert_int_equal(fstat(fd, &st), 0);
	switch (how) {
	case FLIPPED:
		assert_int_equal(pread(fd, &c, 1, st.st_size / 2), 1);
		c ^= 4;
		assert_int_equal(pwrite(fd, &c, 1, st.st_size / 2), 1);
		break;
	case CUT:
		assert_int_equal(ftruncate(fd, st.st_size - 1), 0);
		break;
	case EMPTY:
		assert_int_equal(ftruncate(fd, 0), 0);
		break;
	case LONGER:
		assert_int_equal(pwrite(fd, "", 1, st.st_size), 1);
		break;
	case OF_ANOTHER: { /* as if two archives had one hash */
		struct initramfs *fs = archive(77, 100000);
		struct zwriter *z = zwriter_new(fd, 1);

		assert_int_equal(ftruncate(fd, 0), 0);
		assert_int_equal(initramfs_emit(fs, zwriter_write, z), 0);
		assert_int_equal(zwriter_finish(z), 0);
		zwriter_free(z);
		initramfs_free(fs);
		break;
	}
	case WRITABLE:
		assert_int_equal(fchmod(fd, 0666), 0);
		break;
	case A_LINK:
		assert_int_equal(unlinkat(tree.root.fd, name, 0), 0);
		assert_int_equal(symlinkat("/dev/zero", tree.root.fd, name), 0);
		break;
	case DAMAGE_COUNT:
		break;
	}
}

static void a_damaged_file_is_made_again(void **state)
{
	struct initramfs *fs = archive(0, 100000);

	(void)state;
	for (unsigned how = 0; how < DAMAGE_COUNT; how++) {
		_cleanup_(strv_done) struct strv found = STRV_INIT;
		uint64_t damaged;

		get(fs, CAP);
		names(&found);
		assert_int_equal(found.n, 1);
		do_damage(how, found.v[0]);
		damaged = only_file();
		print_message("# %u\n", how);
		assert_true(get(fs, CAP) != damaged);
		assert_int_equal(get(fs, CAP), only_file());
	}
	initramfs_free(fs);
}

/* As if it had last been used @seconds after 1970 began. */
static void age(uint64_t file, time_t seconds)
{
	const struct timespec times[2] = { { .tv_sec = seconds }, { .tv_sec = seconds } };
	_cleanup_(strv_done) struct strv found = STRV_INIT;

	names(&found);
	for (size_t i = 0; i < found.n; i++) {
		struct stat st;

		assert_int_equal(fstatat(tree.root.fd, found.v[i], &st, 0), 0);
		if (identity(&st) == file)
			assert_int_equal(utimensat(tree.root.fd, found.v[i], times, 0), 0);
	}
}

static void what_was_not_used_for_longest_goes_first(void **state)
{
	const uint64_t cap = 350000; /* three fit */
	struct initramfs *fs[4];
	uint64_t files[4];

	(void)state;
	for (unsigned i = 0; i < ARRAY_SIZE(fs); i++) {
		fs[i] = archive(i, 100000);
		if (i == 3)
			assert_int_equal(get(fs[0], cap), files[0]);
		get(fs[i], cap);
		files[i] = get(fs[i], cap);
		age(files[i], i + 1);
	}
	for (unsigned i = 0; i < ARRAY_SIZE(fs); i++)
		if (i != 1)
			assert_int_equal(get(fs[i], cap), files[i]);
	assert_true(get(fs[1], cap) != files[1]);
	for (unsigned i = 0; i < ARRAY_SIZE(fs); i++)
		initramfs_free(fs[i]);
}

static void one_that_is_larger_than_the_cache_is_not_kept(void **state)
{
	_cleanup_(strv_done) struct strv found = STRV_INIT;
	struct initramfs *fs = archive(0, 100000);

	(void)state;
	get(fs, 1000);
	names(&found);
	assert_int_equal(found.n, 0);
	initramfs_free(fs);
}

static void a_cache_that_cannot_be_used_does_no_harm(void **state)
{
	struct initramfs *fs = archive(0, 1000);
	uint64_t unpacked = 0;
	struct err err;
	int fd;

	(void)state;
	fd = initramfs_cached_in(fs, "/no/such/folder", CAP, &unpacked, &err);
	assert_true(fd >= 0 && unpacked > 1000);
	close(fd);
	/* The environment names no place, or one where nothing can be made. */
	for (int i = 0; i < 2; i++) {
		unsetenv("XDG_CACHE_HOME");
		unsetenv("HOME");
		if (i)
			setenv("KTSTR_CACHE_DIR", "/proc/nowhere", 1);
		else
			unsetenv("KTSTR_CACHE_DIR");
		fd = initramfs_cached(fs, &unpacked, &err);
		assert_true(fd >= 0 && unpacked > 1000);
		close(fd);
	}
	initramfs_free(fs);
}

static void the_environment_names_the_place(void **state)
{
	static const struct {
		const char *variable, *below, *file;
	} rows[] = {
		{ "HOME", "a", "a/.cache/ktstr/initramfs" },
		{ "XDG_CACHE_HOME", "b", "b/ktstr/initramfs" },
		{ "KTSTR_CACHE_DIR", "c/d", "c/d/initramfs" },
	};
	struct initramfs *fs = archive(0, 1000);

	(void)state;
	unsetenv("XDG_CACHE_HOME");
	unsetenv("KTSTR_CACHE_DIR");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(strv_done) struct strv found = STRV_INIT;
		uint64_t unpacked;
		char value[64];
		int fd;

		snprintf(value, sizeof(value), "%s/%s", tree.dir, rows[i].below);
		setenv(rows[i].variable, value, 1);
		fd = initramfs_cached(fs, &unpacked, NULL);
		assert_true(fd >= 0);
		close(fd);
		assert_int_equal(root_list(&tree.root, rows[i].file, &found), 1);
		assert_int_equal(found.n, 1);
		assert_non_null(strstr(found.v[0], ".cpio.zst"));
	}
	initramfs_free(fs);
}

/* Four processes, with room for about three archives of five: they find, make and remove at once.
 */
static void many_processes_share_it(void **state)
{
	unsigned rounds = soak_rounds(20);
	pid_t pids[4];

	(void)state;
	fflush(NULL);
	for (unsigned p = 0; p < ARRAY_SIZE(pids); p++) {
		pids[p] = fork();
		assert_true(pids[p] >= 0);
		if (pids[p])
			continue;
		for (unsigned i = 0; i < rounds; i++) {
			struct initramfs *fs = archive((i + p) % 5, 100000);

			get(fs, 350000);
			initramfs_free(fs);
		}
		_exit(0);
	}
	for (unsigned p = 0; p < ARRAY_SIZE(pids); p++) {
		int status;

		assert_int_equal(waitpid(pids[p], &status, 0), pids[p]);
		assert_int_equal(status, 0);
	}
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
		TEST(the_second_call_finds_it),
		TEST(other_content_is_another_file),
		TEST(a_damaged_file_is_made_again),
		TEST(what_was_not_used_for_longest_goes_first),
		TEST(one_that_is_larger_than_the_cache_is_not_kept),
		TEST(many_processes_share_it),
		TEST(the_environment_names_the_place),
		TEST(a_cache_that_cannot_be_used_does_no_harm),
	};

	return cmocka_run_group_tests_name("initramfs_cache", tests, NULL, NULL);
}
