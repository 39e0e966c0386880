// SPDX-License-Identifier: GPL-2.0-only
/* Which kernel is booted: every rule once, and what takes precedence over it. */
#include "kernel/find.h"

#include <errno.h>
#include <stdio.h>

#include "kernel/metadata.h"
#include "kernel_bytes.h"
#include "tree.h"
#include "unit.h"
#include "util/cleanup.h"

#define TREE_IMAGE "arch/x86/boot/bzImage"

/* Paths of @p are below the tree; they are put together here. */
struct world {
	struct tree tree;
	struct strbuf cache, here, test_kernel, kernel;
	struct kernel_places p;
};

static void world_init(struct world *w)
{
	*w = (struct world){
		.cache = STRBUF_INIT,
		.here = STRBUF_INIT,
		.test_kernel = STRBUF_INIT,
		.kernel = STRBUF_INIT,
	};
	tree_init(&w->tree);
	tree_file(&w->tree, "home/user/x", "");
	strbuf_addf(&w->cache, "%s/cache", w->tree.dir);
	strbuf_addf(&w->here, "%s/home/user", w->tree.dir);
	w->p = (struct kernel_places){
		.root = &w->tree.root,
		.cache = w->cache.s,
		.here = w->here.s,
		.arch = "x86_64",
		.running = "6.18.5",
	};
}

static void world_done(struct world *w)
{
	strbuf_done(&w->cache);
	strbuf_done(&w->here);
	strbuf_done(&w->test_kernel);
	strbuf_done(&w->kernel);
	tree_done(&w->tree);
}

static void add_image(struct world *w, const char *path, const char *release)
{
	_cleanup_(strbuf_done) struct strbuf words = STRBUF_INIT;
	char bytes[IMAGE_BYTES];

	strbuf_addf(&words, "%s (a@b) #1", release);
	make_x86_image(bytes, words.s);
	tree_bytes(&w->tree, path, SLICE_OF_IMAGE(bytes));
}

static void add_metadata(struct world *w, const char *key, const char *release, const char *arch,
			 const char *fragment, uint64_t made)
{
	_cleanup_(kernel_metadata_done) struct kernel_metadata m = KERNEL_METADATA_INIT;
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT, path = STRBUF_INIT;

	strbuf_addstr(&m.release, release);
	strbuf_addstr(&m.arch, arch);
	strbuf_addstr(&m.source, "somewhere 1");
	strbuf_addstr(&m.fragment, fragment);
	m.made = made;
	kernel_metadata_write(&m, &text);
	strbuf_addf(&path, "cache/%s/metadata.json", key);
	tree_file(&w->tree, path.s, text.s);
}

static void add_entry(struct world *w, const char *key, const char *release, uint64_t made)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;

	add_metadata(w, key, release, "x86_64", "", made);
	strbuf_addf(&path, "cache/%s/image", key);
	add_image(w, path.s, release);
}

static void name_kernel(struct world *w, struct strbuf *variable, const char **place,
			const char *path)
{
	strbuf_addf(variable, "%s/%s", w->tree.dir, path);
	*place = variable->s;
}

#define assert_found(w, want, release_, rule_)                                                     \
	do {                                                                                       \
		_cleanup_(kernel_done) struct kernel k_ = KERNEL_INIT;                             \
		struct err err_ = {};                                                              \
		int r_ = kernel_find_in(&(w)->p, (want), &k_, &err_);                              \
		if (r_ < 0)                                                                        \
			print_message("# %s\n", err_.text);                                        \
		assert_int_equal(r_, 0);                                                           \
		assert_string_equal(k_.release.s, (release_));                                     \
		assert_non_null(strstr(k_.rule.s, (rule_)));                                       \
		assert_int_equal(k_.init_bytes, 0x1234000);                                        \
	} while (0)

#define assert_not_found(w, want, code, words)                                                     \
	do {                                                                                       \
		_cleanup_(kernel_done) struct kernel k_ = KERNEL_INIT;                             \
		struct err err_ = {};                                                              \
		assert_int_equal(kernel_find_in(&(w)->p, (want), &k_, &err_), (code));             \
		print_message("# %s\n", err_.text);                                                \
		assert_non_null(strstr(err_.text, (words)));                                       \
	} while (0)

/* Each rule is taken away once it was seen to match, so that the next one comes to light. */
static void rules_match_in_their_order(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	add_image(&w, "one/image-1", "1.0.0");
	add_image(&w, "two/vmlinuz-2", "2.0.0");
	add_entry(&w, "a", "3.0.0", 30);
	add_entry(&w, "b", "3.9.0", 20);
	add_image(&w, "home/user/linux/" TREE_IMAGE, "4.0.0");
	add_image(&w, "home/linux/" TREE_IMAGE, "5.0.0");
	add_image(&w, "lib/modules/6.18.5/build/" TREE_IMAGE, "6.0.0");
	add_image(&w, "lib/modules/6.18.5/vmlinuz", "7.0.0");
	add_image(&w, "boot/vmlinuz-6.18.5", "8.0.0");
	add_image(&w, "boot/vmlinuz-6.9", "9.0.0");
	add_image(&w, "boot/vmlinuz-6.10", "9.1.0");
	name_kernel(&w, &w.test_kernel, &w.p.test_kernel, "one/image-1");
	name_kernel(&w, &w.kernel, &w.p.kernel, "two/vmlinuz-2");

	assert_found(&w, NULL, "1.0.0", "KTSTR_TEST_KERNEL");
	w.p.test_kernel = "";
	assert_found(&w, NULL, "2.0.0", "KTSTR_KERNEL: the path");
	w.p.kernel = NULL;
	assert_found(&w, NULL, "3.0.0", "the newest in the cache");
	w.p.cache = NULL;
	assert_found(&w, NULL, "4.0.0", "the build tree ./linux");
	tree_file(&w.tree, "home/user/linux/" TREE_IMAGE, "rubbish");
	assert_found(&w, NULL, "5.0.0", "the build tree ../linux");
	unlinkat(w.tree.root.fd, "home/linux/" TREE_IMAGE, 0);
	assert_found(&w, NULL, "6.0.0", "build tree of the running");
	unlinkat(w.tree.root.fd, "lib/modules/6.18.5/build/" TREE_IMAGE, 0);
	assert_found(&w, NULL, "7.0.0", "modules of the running");
	unlinkat(w.tree.root.fd, "lib/modules/6.18.5/vmlinuz", 0);
	assert_found(&w, NULL, "8.0.0", "running kernel in the boot");
	unlinkat(w.tree.root.fd, "boot/vmlinuz-6.18.5", 0);
	assert_found(&w, NULL, "9.1.0", "highest version in the boot");
	tree_file(&w.tree, "boot/vmlinuz-6.10", "rubbish");
	assert_found(&w, NULL, "9.0.0", "highest version in the boot");
	unlinkat(w.tree.root.fd, "boot/vmlinuz-6.9", 0);
	assert_not_found(&w, NULL, -ENOENT, "ktstr kernel fetch");
	world_done(&w);
}

/* Another kernel than the one that was asked for would be tested. */
static void what_was_named_is_never_passed_over(void **state)
{
	static const struct {
		const char *label, *path;
		int code;
		const char *words;
	} rows[] = {
		{ "not there", "none", -ESRCH, "No such file" },
		{ "no kernel", "rubbish", -EBADMSG, "not a kernel image" },
		{ "a folder without a kernel", "home", -ESRCH, "no kernel was built there" },
		{ "for another machine", "arm", -EBADMSG,
		  "is for aarch64, this machine is x86_64" },
	};
	char bytes[IMAGE_BYTES];
	struct world w;

	(void)state;
	world_init(&w);
	add_entry(&w, "a", "6.12.1", 1);
	tree_file(&w.tree, "rubbish", "rubbish");
	make_arm64_image(bytes, "");
	tree_bytes(&w.tree, "arm", SLICE_OF_IMAGE(bytes));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;

		print_message("# %s\n", rows[i].label);
		strbuf_addf(&path, "%s/%s", w.tree.dir, rows[i].path);
		assert_not_found(&w, path.s, rows[i].code, "--kernel: ");
		assert_not_found(&w, path.s, rows[i].code, rows[i].words);
		w.p.kernel = path.s;
		assert_not_found(&w, NULL, rows[i].code, "KTSTR_KERNEL: ");
		w.p.test_kernel = path.s;
		/* Only an image will do here. */
		assert_not_found(&w, NULL,
				 strcmp(rows[i].path, "home") == 0 ? -EBADMSG : rows[i].code,
				 "KTSTR_TEST_KERNEL: ");
		w.p.kernel = w.p.test_kernel = NULL;
	}
	w.p.kernel = "6.13";
	assert_not_found(&w, NULL, -ESRCH, "KTSTR_KERNEL: '6.13' is no file, no key");
	world_done(&w);
}

static void the_cache_is_searched_by_key_and_by_version(void **state)
{
	static const struct {
		const char *want, *release, *rule;
	} rows[] = {
		{ "a", "6.12.3-x", "a of the cache" },
		{ "6.12", "6.12.9", "version 6.12 in the cache" },
		{ "6.12.3", "6.12.3-x", "version 6.12.3 in the cache" },
		{ "6.12.3-x", "6.12.3-x", "version 6.12.3-x in the cache" },
		{ "6.120", "6.120.1", "version 6.120 in the cache" },
		{ "6.1", NULL, "no version in the cache" },
		{ "6.12.3-", "6.12.3-x", "version" },
		{ "b", NULL, "no key" },
		{ "..", NULL, "no kernel was built there" },
		{ "", NULL, "no key" },
	};
	struct world w;

	(void)state;
	world_init(&w);
	add_entry(&w, "a", "6.12.3-x", 1);
	add_entry(&w, "c", "6.12.9", 2);
	add_entry(&w, "d", "6.120.1", 3);
	add_entry(&w, ".new-b", "6.1.1", 4);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		print_message("# %s\n", rows[i].want);
		if (rows[i].release)
			assert_found(&w, rows[i].want, rows[i].release, rows[i].rule);
		else
			assert_not_found(&w, rows[i].want, -ESRCH, rows[i].rule);
	}
	world_done(&w);
}

static void entries_that_are_not_valid_are_ignored(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	add_entry(&w, "good", "6.1.0", 1);
	add_metadata(&w, "stale", "6.2.0", "x86_64", "0123456789abcdef", 9);
	add_image(&w, "cache/stale/image", "6.2.0");
	add_metadata(&w, "foreign", "6.3.0", "aarch64", "", 9);
	add_image(&w, "cache/foreign/image", "6.3.0");
	add_metadata(&w, "without-image", "6.4.0", "x86_64", "", 9);
	add_image(&w, "cache/without-metadata/image", "6.5.0");
	add_metadata(&w, "damaged", "6.6.0", "x86_64", "", 9);
	tree_file(&w.tree, "cache/damaged/image", "rubbish");
	tree_file(&w.tree, "cache/file", "");

	assert_found(&w, NULL, "6.1.0", "the newest in the cache");
	assert_not_found(&w, "stale", -ESRCH, "'stale' in the cache is stale");
	assert_not_found(&w, "6.2", -ESRCH, "'stale' in the cache is stale");
	assert_not_found(&w, "foreign", -ESRCH, "is foreign");
	assert_not_found(&w, "without-image", -ESRCH, "is broken");
	assert_not_found(&w, "without-metadata", -ESRCH, "is broken");
	assert_not_found(&w, "damaged", -EBADMSG, "not a kernel image");
	world_done(&w);
}

static void the_configuration_beside_an_image_is_found(void **state)
{
	static const struct {
		const char *image, *config, *want;
	} rows[] = {
		{ "b/vmlinuz-1", "b/config-1", "b/vmlinuz-1" },
		{ "t/" TREE_IMAGE, "t/.config", "t" },
		{ "cache/k/image", "cache/k/config", "cache/k" },
		{ "m/vmlinuz", "m/config", "m/vmlinuz" },
	};
	struct world w;

	(void)state;
	world_init(&w);
	add_metadata(&w, "k", "6.1", "x86_64", "", 1);
	tree_file(&w.tree, "cache/k/modules/10-virtio.ko", "");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(kernel_done) struct kernel k = KERNEL_INIT;
		_cleanup_(kconfig_done) struct kconfig config = KCONFIG_INIT;
		_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;
		struct err err;

		print_message("# %s\n", rows[i].image);
		add_image(&w, rows[i].image, "6.1");
		strbuf_addf(&path, "%s/%s", w.tree.dir, rows[i].want);
		assert_int_equal(kernel_find_in(&w.p, path.s, &k, &err), 0);
		assert_int_equal(kernel_config_read(&k, &config, &err), -ENOENT);
		kernel_done(&k);
		tree_file(&w.tree, rows[i].config, "CONFIG_A=y\n");
		assert_int_equal(kernel_find_in(&w.p, path.s, &k, &err), 0);
		assert_int_equal(kernel_config_read(&k, &config, &err), 0);
		assert_int_equal(kconfig_state(&config, "A"), KCONFIG_YES);
		assert_int_equal(k.modules.len > 0, strcmp(rows[i].want, "cache/k") == 0);
	}
	world_done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_match_in_their_order),
		cmocka_unit_test(what_was_named_is_never_passed_over),
		cmocka_unit_test(the_cache_is_searched_by_key_and_by_version),
		cmocka_unit_test(entries_that_are_not_valid_are_ignored),
		cmocka_unit_test(the_configuration_beside_an_image_is_found),
	};

	return cmocka_run_group_tests_name("kernel_find", tests, NULL, NULL);
}
