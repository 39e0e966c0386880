// SPDX-License-Identifier: GPL-2.0-only
/* What programs need: those of this host against ldd, and some built for the purpose. */
#include "elf/needed.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "shell.h"
#include "tree.h"
#include "util/cleanup.h"

static struct tree tree;

/* Absolute, below "/". */
static char *in_tree(const char *path)
{
	char *s;

	assert_true(asprintf(&s, "%s/%s", tree.dir, path) > 0);
	return s;
}

/* lib/libtwo.so; lib/libone.so, which needs it; bin/prog, which needs libone.so. Each with a search
 * path of its own or "". */
static void build(const char *prog_path, const char *one_path)
{
	shell(NULL,
	      "cd %s && mkdir -p bin lib && "
	      "echo 'void two(void){}' | gcc -xc - -shared -fPIC -o lib/libtwo.so && "
	      "echo 'void two(void);void one(void){two();}' | gcc -xc - -shared -fPIC -o "
	      "lib/libone.so -Llib -ltwo %s && "
	      "echo 'void one(void);int main(void){one();}' | gcc -xc - -o bin/prog -Llib -lone "
	      "-Wl,--allow-shlib-undefined %s",
	      tree.dir, one_path, prog_path);
}

static int needed(const char *path, const char *at, struct elf_files *files, struct err *err)
{
	_cleanup_(root_close) struct root root = ROOT_INIT;

	assert_int_equal(root_open(&root, "/", NULL), 0);
	return elf_needed(&root, path, at, files, err);
}

static const char *base(const char *path)
{
	return strrchr(path, '/') + 1;
}

static const struct elf_file *file_named(const struct elf_files *files, const char *name)
{
	for (size_t i = 0; i < files->n; i++)
		if (strcmp(base(files->v[i].from), name) == 0)
			return &files->v[i];
	return NULL;
}

static void stands_at(const struct elf_files *files, const char *name, const char *at)
{
	const struct elf_file *file = file_named(files, name);

	assert_string_equal(file ? file->at : "nowhere", at);
}

static void refused(const char *path, int code, const char *words)
{
	struct elf_files files = ELF_FILES_INIT;
	struct err err = {};
	int r = needed(path, "/prog", &files, &err);

	if (r != code || !strstr(err.text, words) || !strstr(err.text, base(path)))
		fail_msg("'%s': %d, '%s'; expected %d, '%s'", path, r, err.text, code, words);
	assert_int_equal(files.n, 0);
}

/* Each line of ldd's begins with a name; the first is the kernel's own. */
static void compare_with_ldd(const char *path)
{
	_cleanup_(elf_files_done) struct elf_files files = ELF_FILES_INIT;
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct slice rest, line, word;
	struct err err = {};
	size_t n = 0;

	shell(&text, "env -u LD_LIBRARY_PATH -u LD_PRELOAD ldd %s", path);
	if (needed(path, path, &files, &err) < 0)
		fail_msg("'%s': %s", path, err.text);
	rest = strbuf_slice(&text);
	while (slice_line(&rest, &line)) {
		char name[256];

		assert_true(slice_word(&line, &word) && word.n < sizeof(name));
		if (slice_starts(word, "linux-"))
			continue;
		memcpy(name, word.s, word.n);
		name[word.n] = '\0';
		if (strrchr(name, '/'))
			memmove(name, base(name), strlen(base(name)) + 1);
		n++;
		if (!file_named(&files, name))
			fail_msg("'%s': '%s' is missing", path, name);
	}
	assert_int_equal(files.n, n);
}

static void programs_of_this_host_need_what_ldd_says(void **state)
{
	static const char *const paths[] = { "/bin/ls", "/bin/bash", "/usr/bin/python3",
					     "/usr/bin/gcc", "/usr/bin/qemu-system-x86_64" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (access(paths[i], X_OK) == 0)
			compare_with_ldd(paths[i]);
}

static void what_the_cache_gives_stands_in_the_folder_of_the_loader(void **state)
{
	_cleanup_(elf_files_done) struct elf_files files = ELF_FILES_INIT;
	_cleanup_free_ char *loader = NULL, *libc = NULL;
	struct err err;

	(void)state;
	assert_int_equal(needed("/bin/ls", "/anywhere/ls", &files, &err), 0);
	/* The loader comes first, at the path that the kernel looks for. */
	assert_string_equal(files.v[0].from, files.v[0].at);
	loader = realpath(files.v[0].from, NULL);
	assert_non_null(loader);
	assert_true(asprintf(&libc, "%.*s/libc.so.6", (int)(base(loader) - loader - 1), loader) >
		    0);
	stands_at(&files, "libc.so.6", libc);
}

static void a_static_program_needs_nothing(void **state)
{
	static const char *const kinds[] = { "-static", "-static-pie" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		_cleanup_(elf_files_done) struct elf_files files = ELF_FILES_INIT;
		_cleanup_free_ char *path = in_tree("static");
		struct err err = {};

		shell(NULL, "echo 'int main(void){}' | gcc -xc - %s -o %s", kinds[i], path);
		assert_int_equal(needed(path, "/init", &files, &err), 0);
		assert_int_equal(files.n, 0);
	}
}

static void origin_moves_with_the_program(void **state)
{
	static const char *const spelled[] = { "$ORIGIN", "${ORIGIN}" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(spelled); i++) {
		_cleanup_(elf_files_done) struct elf_files files = ELF_FILES_INIT;
		_cleanup_free_ char *path = in_tree("bin/prog");
		char flag[80], own[80];
		struct err err = {};

		snprintf(flag, sizeof(flag), "-Wl,--enable-new-dtags,-rpath,'%s/../lib'",
			 spelled[i]);
		snprintf(own, sizeof(own), "-Wl,--enable-new-dtags,-rpath,'%s'", spelled[i]);
		build(flag, own);
		if (needed(path, "/x/y/prog", &files, &err) < 0)
			fail_msg("%s", err.text);
		stands_at(&files, "libone.so", "/x/y/../lib/libone.so");
		/* A library's is where that library is. */
		stands_at(&files, "libtwo.so", "/x/y/../lib/libtwo.so");
	}
}

static void the_old_search_path_is_inherited_and_the_new_is_not(void **state)
{
	_cleanup_(elf_files_done) struct elf_files files = ELF_FILES_INIT;
	_cleanup_free_ char *path = in_tree("bin/prog"), *lib = in_tree("lib"),
			    *two = in_tree("lib/libtwo.so");
	char flag[160];
	struct err err = {};

	(void)state;
	snprintf(flag, sizeof(flag), "-Wl,--disable-new-dtags,-rpath,/nowhere:%s", lib);
	build(flag, "");
	if (needed(path, "/prog", &files, &err) < 0)
		fail_msg("%s", err.text);
	stands_at(&files, "libtwo.so", two);
	snprintf(flag, sizeof(flag), "-Wl,--enable-new-dtags,-rpath,/nowhere:%s", lib);
	build(flag, "");
	elf_files_done(&files);
	assert_int_equal(needed(path, "/prog", &files, &err), -ENOENT);
	assert_int_equal(strncmp(err.text, "library 'libtwo.so', which '", 28), 0);
	assert_non_null(strstr(err.text, "/lib/libone.so' needs, was not found"));
	assert_int_equal(files.n, 0);
}

static void libraries_may_need_each_other(void **state)
{
	_cleanup_(elf_files_done) struct elf_files files = ELF_FILES_INIT;
	_cleanup_free_ char *path = in_tree("bin/prog");
	struct err err = {};

	(void)state;
	build("-Wl,-rpath,'$ORIGIN/../lib'", "-Wl,-rpath,'$ORIGIN'");
	shell(NULL,
	      "cd %s/lib && echo 'void one(void);void two(void){one();}' | gcc -xc - -shared -fPIC "
	      "-o libtwo.so -L. -lone -Wl,--allow-shlib-undefined,-rpath,'$ORIGIN'",
	      tree.dir);
	if (needed(path, "/prog", &files, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(files.n, 4); /* the loader and libc too */
}

static void a_library_of_another_machine_is_passed_over(void **state)
{
	_cleanup_(elf_files_done) struct elf_files files = ELF_FILES_INIT;
	_cleanup_free_ char *path = in_tree("bin/prog");
	struct err err = {};

	(void)state;
	build("-Wl,-rpath,'$ORIGIN/../other:$ORIGIN/../lib'", "-Wl,-rpath,'$ORIGIN'");
	/* The machine is the 16 bits at 18. */
	shell(NULL,
	      "cd %s && mkdir other && cp lib/libone.so other && "
	      "printf '\\363' | dd of=other/libone.so bs=1 seek=18 conv=notrunc status=none",
	      tree.dir);
	if (needed(path, "/bin/prog", &files, &err) < 0)
		fail_msg("%s", err.text);
	stands_at(&files, "libone.so", "/bin/../lib/libone.so");
}

static void a_damaged_library_is_named(void **state)
{
	_cleanup_free_ char *path = in_tree("bin/prog");

	(void)state;
	build("-Wl,-rpath,'$ORIGIN/../lib'", "-Wl,-rpath,'$ORIGIN'");
	tree_file(&tree, "lib/libone.so", "INPUT(libone.so.1)");
	refused(path, -EBADMSG, "libone.so': no ELF file");
}

static void a_script_brings_its_interpreter(void **state)
{
	_cleanup_(elf_files_done) struct elf_files files = ELF_FILES_INIT, shells = ELF_FILES_INIT;
	_cleanup_free_ char *path = in_tree("script"), *outer = in_tree("outer"), *text = NULL;
	struct err err = {};

	(void)state;
	tree_file(&tree, "script", "#! /bin/bash -e\necho\n");
	assert_int_equal(needed("/bin/bash", "/bin/bash", &shells, &err), 0);
	if (needed(path, "/s", &files, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(files.n, shells.n + 1);
	assert_string_equal(files.v[0].at, "/bin/bash");
	elf_files_done(&files);
	assert_true(asprintf(&text, "#!%s", path) > 0);
	tree_file(&tree, "outer", text);
	if (needed(outer, "/s", &files, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(files.n, shells.n + 2);
	assert_string_equal(files.v[0].at, path);
}

static void what_cannot_be_run_is_refused(void **state)
{
	static const struct {
		const char *name;
		struct slice bytes;
		int code;
		const char *words;
	} rows[] = {
		{ "empty", SLICE_LIT(""), -ENOEXEC, "no program" },
		{ "text", SLICE_LIT("echo hello\n"), -ENOEXEC, "neither ELF nor a script" },
		{ "nothing-named", SLICE_LIT("#! \n/bin/sh"), -ENOEXEC, "no program" },
		{ "relative", SLICE_LIT("#!sh\n"), -ENOEXEC, "no absolute path" },
		{ "missing", SLICE_LIT("#!/no/such/sh\n"), -ENOENT, "/no/such/sh" },
		{ "binary", SLICE_LIT("#!/bin/\0sh\n"), -ENOEXEC, "no program" },
		{ "magic",
		  SLICE_LIT("\x7f"
			    "ELF"),
		  -EBADMSG, "damaged" },
		{ "zeros",
		  SLICE_LIT("\x7f"
			    "ELF\2\1\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
		  -EBADMSG, "damaged" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *path = in_tree(rows[i].name);

		tree_bytes(&tree, rows[i].name, rows[i].bytes);
		refused(path, rows[i].code, rows[i].words);
	}
	refused("/no/such/program", -ENOENT, "No such file");
	refused("/usr/bin", -ENOEXEC, "no regular file");
	refused("/dev/null", -ENOEXEC, "no regular file");
}

static void programs_for_something_else_are_refused(void **state)
{
	static const struct {
		const char *how, *words;
	} rows[] = {
		{ "printf '\\363' | dd of=$f bs=1 seek=18 conv=notrunc status=none", "riscv" },
		{ "printf '\\001' | dd of=$f bs=1 seek=16 conv=notrunc status=none",
		  "neither a program" },
		{ "echo 'int main(void){}' | gcc -xc - -o $f "
		  "-Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1",
		  "glibc" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *path = in_tree("other-kind");

		shell(NULL, "f=%s; cp /bin/true $f && %s", path, rows[i].how);
		refused(path, -ENOEXEC, rows[i].words);
	}
}

static void a_missing_loader_is_named(void **state)
{
	_cleanup_free_ char *path = in_tree("lost");

	(void)state;
	shell(NULL,
	      "echo 'int main(void){}' | gcc -xc - -o %s -Wl,--dynamic-linker=/no/ld-linux.so.9",
	      path);
	refused(path, -ENOENT, "its loader '/no/ld-linux.so.9'");
}

static void scripts_that_never_end_are_refused(void **state)
{
	_cleanup_free_ char *path = in_tree("myself"), *text = NULL;

	(void)state;
	assert_true(asprintf(&text, "#!%s", path) > 0);
	tree_file(&tree, "myself", text);
	refused(path, -ELOOP, "scripts again");
}

static void every_cut_program_is_refused_or_read(void **state)
{
	_cleanup_(strbuf_done) struct strbuf whole = STRBUF_INIT;
	_cleanup_(root_close) struct root root = ROOT_INIT;
	_cleanup_free_ char *path = in_tree("cut");
	size_t refusals = 0, n = 0;

	(void)state;
	assert_int_equal(root_open(&root, "/", NULL), 0);
	assert_int_equal(root_read(&root, "bin/true", ROOT_CAP_FILE, &whole), 1);
	for (size_t len = 4; len < whole.len; len += len < 1024 ? 7 : 997, n++) {
		_cleanup_(elf_files_done) struct elf_files files = ELF_FILES_INIT;
		struct err err;

		tree_bytes(&tree, "cut", (struct slice){ whole.s, len });
		refusals += needed(path, "/cut", &files, &err) == -EBADMSG;
	}
	/* Behind what the loader reads there are sections, which it does not need. */
	assert_true(refusals > n / 2);
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
		TEST(programs_of_this_host_need_what_ldd_says),
		TEST(what_the_cache_gives_stands_in_the_folder_of_the_loader),
		TEST(a_static_program_needs_nothing),
		TEST(origin_moves_with_the_program),
		TEST(the_old_search_path_is_inherited_and_the_new_is_not),
		TEST(libraries_may_need_each_other),
		TEST(a_library_of_another_machine_is_passed_over),
		TEST(a_damaged_library_is_named),
		TEST(a_script_brings_its_interpreter),
		TEST(what_cannot_be_run_is_refused),
		TEST(programs_for_something_else_are_refused),
		TEST(a_missing_loader_is_named),
		TEST(scripts_that_never_end_are_refused),
		TEST(every_cut_program_is_refused_or_read),
	};

	return cmocka_run_group_tests_name("elf_needed", tests, NULL, NULL);
}
