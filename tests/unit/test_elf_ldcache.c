// SPDX-License-Identifier: GPL-2.0-only
#include "elf/ldcache.h"

#include <errno.h>

#include "elf/needed.h"
#include "shell.h"
#include "tree.h"
#include "util/cleanup.h"
#include "util/strbuf.h"

#define HEADER 48
#define ENTRY  24

struct row {
	const char *key, *value;
	uint64_t hwcap;
};

static void put_u32(struct strbuf *sb, uint32_t v)
{
	strbuf_add(sb, &v, sizeof(v));
}

/* As ldconfig writes it. */
static void make_cache(struct strbuf *sb, const struct row *rows, uint32_t n)
{
	struct strbuf strings = STRBUF_INIT;

	strbuf_addstr(sb, "glibc-ld.so.cache1.1");
	put_u32(sb, n);
	for (int i = 0; i < 6; i++)
		put_u32(sb, 0);
	for (uint32_t i = 0; i < n; i++) {
		put_u32(sb, 0x303);
		put_u32(sb, HEADER + n * ENTRY + (uint32_t)strings.len);
		strbuf_add(&strings, rows[i].key, strlen(rows[i].key) + 1);
		put_u32(sb, HEADER + n * ENTRY + (uint32_t)strings.len);
		strbuf_add(&strings, rows[i].value, strlen(rows[i].value) + 1);
		put_u32(sb, 0);
		strbuf_add(sb, &rows[i].hwcap, sizeof(rows[i].hwcap));
	}
	strbuf_addslice(sb, strbuf_slice(&strings));
	strbuf_done(&strings);
}

static const struct row rows[] = {
	{ "libx.so.1", "/opt/v3/libx.so.1", UINT64_C(1) << 62 },
	{ "libx.so.1", "/opt/odd/libx.so.1", 0 },
	{ "liba.so", "/lib/liba.so", 0 },
	{ "libx.so.1", "/lib32/libx.so.1", 0 },
};

static void only_what_runs_everywhere_is_found(void **state)
{
	_cleanup_(strbuf_done) struct strbuf cache = STRBUF_INIT;
	const char *path = "";
	size_t at = 0;

	(void)state;
	make_cache(&cache, rows, ARRAY_SIZE(rows));
	assert_true(ldcache_next(strbuf_slice(&cache), "libx.so.1", &at, &path));
	assert_string_equal(path, "/opt/odd/libx.so.1");
	assert_true(ldcache_next(strbuf_slice(&cache), "libx.so.1", &at, &path));
	assert_string_equal(path, "/lib32/libx.so.1");
	assert_false(ldcache_next(strbuf_slice(&cache), "libx.so.1", &at, &path));
	at = 0;
	assert_false(ldcache_next(strbuf_slice(&cache), "libx.so", &at, &path));
}

static void an_older_table_before_it_is_passed_over(void **state)
{
	_cleanup_(strbuf_done) struct strbuf cache = STRBUF_INIT;
	const char *path = "";
	size_t at = 0;

	(void)state;
	/* One entry of 12 bytes: 28 in all, padded to 32. */
	strbuf_add(&cache, "ld.so-1.7.0", 12);
	put_u32(&cache, 1);
	strbuf_add(&cache, "0123456789abcdef", 16);
	make_cache(&cache, rows, ARRAY_SIZE(rows));
	assert_true(ldcache_next(strbuf_slice(&cache), "liba.so", &at, &path));
	assert_string_equal(path, "/lib/liba.so");
}

static void the_cache_of_this_host_knows_libc(void **state)
{
	_cleanup_(strbuf_done) struct strbuf cache = STRBUF_INIT;
	_cleanup_(root_close) struct root root = ROOT_INIT;
	const char *path = "";
	size_t at = 0;

	(void)state;
	assert_int_equal(root_open(&root, "/", NULL), 0);
	if (root_read(&root, "etc/ld.so.cache", ROOT_CAP_FILE, &cache) <= 0)
		skip();
	assert_true(ldcache_next(strbuf_slice(&cache), "libc.so.6", &at, &path));
	assert_int_equal(access(path, R_OK), 0);
}

static void a_damaged_cache_holds_nothing_more_than_it_has(void **state)
{
	_cleanup_(strbuf_done) struct strbuf cache = STRBUF_INIT;
	const uint32_t many = UINT32_MAX;
	const char *path = "";
	size_t last;

	(void)state;
	make_cache(&cache, rows, ARRAY_SIZE(rows));
	for (size_t n = 0; n < cache.len; n++) {
		/* A block of exactly this size lets ASan see one byte too many. */
		_cleanup_free_ char *exact = malloc(n ? n : 1);
		size_t at = 0;

		assert_non_null(exact);
		memcpy(exact, cache.s, n);
		while (ldcache_next((struct slice){ exact, n }, "libx.so.1", &at, &path))
			assert_true(path > exact && path + strlen(path) < exact + n);
	}
	memcpy(cache.s + 20, &many, sizeof(many));
	last = 0;
	assert_false(ldcache_next(strbuf_slice(&cache), "libx.so.1", &last, &path));
}

/* A tree with a loader of its own, and a library in a folder that it would not search by itself. */
static void a_library_moves_to_where_it_is_found_without_a_cache(void **state)
{
	static const struct row here[] = { { "libodd.so", "/opt/odd/libodd.so", 0 },
					   { "libc.so.6", "/usr/lib/far/libc.so.6", 0 } };
	_cleanup_(strbuf_done) struct strbuf cache = STRBUF_INIT;
	_cleanup_(elf_files_done) struct elf_files files = ELF_FILES_INIT;
	struct err err = {};
	struct tree tree;

	(void)state;
	tree_init(&tree);
	make_cache(&cache, here, ARRAY_SIZE(here));
	tree_bytes(&tree, "etc/ld.so.cache", strbuf_slice(&cache));
	tree_file(&tree, "usr/lib/far/ld-linux.so.2", "");
	tree_link(&tree, "lib", "usr/lib");
	tree_link(&tree, "ld/ld-linux.so.2", "/lib/far/ld-linux.so.2");
	shell(NULL,
	      "cd %s && mkdir -p opt/odd && echo 'void odd(void){}' | "
	      "gcc -xc - -shared -fPIC -nostdlib -o opt/odd/libodd.so && "
	      "cp opt/odd/libodd.so usr/lib/far/libc.so.6 && "
	      "echo 'void odd(void);int main(void){odd();}' | "
	      "gcc -xc - -o prog -Lopt/odd -lodd -Wl,--dynamic-linker=/ld/ld-linux.so.2",
	      tree.dir);
	if (elf_needed(&tree.root, "/prog", "/bin/prog", &files, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(files.n, 3);
	assert_string_equal(files.v[0].at, "/ld/ld-linux.so.2");
	assert_string_equal(files.v[1].from, "/opt/odd/libodd.so");
	assert_string_equal(files.v[1].at, "/usr/lib/far/libodd.so");
	assert_string_equal(files.v[2].at, "/usr/lib/far/libc.so.6");
	/* Without the cache only the folder of the loader is left. */
	elf_files_done(&files);
	assert_int_equal(unlinkat(tree.root.fd, "etc/ld.so.cache", 0), 0);
	assert_int_equal(elf_needed(&tree.root, "/prog", "/bin/prog", &files, &err), -ENOENT);
	assert_string_equal(err.text, "library 'libodd.so', which '/prog' needs, was not found");
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_runs_everywhere_is_found),
		cmocka_unit_test(an_older_table_before_it_is_passed_over),
		cmocka_unit_test(the_cache_of_this_host_knows_libc),
		cmocka_unit_test(a_damaged_cache_holds_nothing_more_than_it_has),
		cmocka_unit_test(a_library_moves_to_where_it_is_found_without_a_cache),
	};

	return cmocka_run_group_tests_name("ldcache", tests, NULL, NULL);
}
