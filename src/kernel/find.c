// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/find.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "kernel/cache.h"
#include "kernel/image.h"
#include "util/cleanup.h"

#define WHAT_TO_TYPE                                                                               \
	"type 'ktstr kernel fetch' for Debian's or 'ktstr kernel build' for one with sched_ext"

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void clear(struct kernel *k)
{
	kernel_done(k);
	*k = (struct kernel)KERNEL_INIT;
}

/* Finds what belongs to an image where those who make images put it. */
static void look_around(struct kernel *k)
{
	const char *slash = strrchr(k->image.s, '/'), *name = slash ? slash + 1 : k->image.s;
	int dir = (int)(name - k->image.s);

	if (slice_starts(slice_of(name), "vmlinuz-"))
		strbuf_addf(&k->config, "%.*sconfig-%s", dir, k->image.s,
			    name + strlen("vmlinuz-"));
	else if (strcmp(name, KERNEL_CACHE_IMAGE) == 0 || strcmp(name, "vmlinuz") == 0)
		strbuf_addf(&k->config, "%.*s" KERNEL_CACHE_CONFIG, dir, k->image.s);
	else /* arch/ARCH/boot/NAME of a build tree */
		strbuf_addf(&k->config, "%.*s../../../.config", dir, k->image.s);
	if (!is_file(k->config.s))
		strbuf_reset(&k->config);
	if (strcmp(name, KERNEL_CACHE_IMAGE) == 0)
		strbuf_addf(&k->modules, "%.*s" KERNEL_CACHE_MODULES, dir, k->image.s);
	if (!is_folder(k->modules.s))
		strbuf_reset(&k->modules);
}

/* Makes @path the kernel if it can be booted here. */
static int use_image(const struct kernel_places *p, const char *path, struct kernel *k,
		     struct err *err)
{
	int r;

	clear(k);
	strbuf_addstr(&k->image, path);
	r = kernel_examine(k, err);
	if (r < 0)
		return r;
	if (strcmp(k->arch, p->arch) != 0)
		return err_set(err, -EBADMSG, "'%s' is for %s, this machine is %s", path, k->arch,
			       p->arch);
	look_around(k);
	return 0;
}

static int use_entry(const struct kernel_places *p, const struct kernel_entry *e, struct kernel *k,
		     struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/" KERNEL_CACHE_IMAGE, e->path.s);
	return use_image(p, path.s, k, err);
}

/* An image, an entry of a cache, or a build tree. */
static int use_path(const struct kernel_places *p, const char *path, struct kernel *k,
		    struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf file = STRBUF_INIT;
	int kind = kernel_image_of_arch(p->arch);

	if (!is_folder(path))
		return use_image(p, path, k, err);
	strbuf_addf(&file, "%s/" KERNEL_CACHE_METADATA, path);
	if (is_file(file.s)) {
		strbuf_reset(&file);
		strbuf_addf(&file, "%s/" KERNEL_CACHE_IMAGE, path);
		return use_image(p, file.s, k, err);
	}
	if (kind < 0)
		return err_set(err, -ENOTSUP, "no kernels for %s", p->arch);
	strbuf_reset(&file);
	strbuf_addf(&file, "%s/%s", path, kernel_image_files[kind]);
	if (!is_file(file.s))
		return err_set(err, -ENOENT, "'%s' has no %s: no kernel was built there", path,
			       kernel_image_files[kind]);
	return use_image(p, file.s, k, err);
}

static int list_cache(const struct kernel_places *p, struct kernel_entries *ret, struct err *err)
{
	*ret = (struct kernel_entries){};
	return p->cache && *p->cache ? kernel_cache_list(p->cache, p->arch, ret, err) : 0;
}

/* 1 used, 0 no such entry; one that is there but unusable is an error. */
static int use_cached(const struct kernel_places *p, const char *want, struct kernel *k,
		      struct strbuf *rule, struct err *err)
{
	_cleanup_(kernel_entries_done) struct kernel_entries entries = {};
	const struct kernel_entry *unusable = NULL;
	int r = list_cache(p, &entries, err);

	for (size_t i = 0; r == 0 && i < entries.list.n; i++) {
		const struct kernel_entry *e = &entries.list.v[i];
		bool is_key = strcmp(e->key.s, want) == 0;

		if (!is_key && !kernel_release_is(e->metadata.release.s, want))
			continue;
		if (e->state != KERNEL_ENTRY_VALID) {
			unusable = e;
			continue;
		}
		r = use_entry(p, e, k, err);
		if (r < 0)
			return r;
		strbuf_addf(rule, is_key ? "%s of the cache" : "version %s in the cache", want);
		return 1;
	}
	if (r == 0 && unusable)
		r = err_set(err, -ENOENT, "'%s' in the cache is %s; " WHAT_TO_TYPE, unusable->key.s,
			    kernel_entry_state_names[unusable->state]);
	return r;
}

/* @who asked for it: "--kernel" or a variable. */
static int use_named(const struct kernel_places *p, const char *who, const char *want,
		     struct kernel *k, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf rule = STRBUF_INIT;
	int r = strchr(want, '/') ? 0 : use_cached(p, want, k, &rule, err);

	if (r == 0 && (strchr(want, '/') || access(want, F_OK) == 0)) {
		r = use_path(p, want, k, err);
		strbuf_addf(&rule, "the path %s", want);
	} else if (r == 0) {
		r = err_set(err, -ENOENT,
			    "'%s' is no file, no key and no version in the cache; 'ktstr kernel "
			    "list' shows what is there, " WHAT_TO_TYPE,
			    want);
	}
	if (r < 0)
		return err_prefix(err, r == -ENOENT ? -ESRCH : r, "%s", who);
	strbuf_addf(&k->rule, "%s: %s", who, rule.s);
	return 0;
}

/*
 * From here on nobody asked for that very kernel: 1 used, 0 there is none. What cannot be booted is
 * passed over.
 */
static int try_image(const struct kernel_places *p, const char *path, const char *rule,
		     struct kernel *k)
{
	struct err err;

	if (use_path(p, path, k, &err) < 0) {
		clear(k);
		return 0;
	}
	strbuf_addstr(&k->rule, rule);
	return 1;
}

static int try_cache(const struct kernel_places *p, struct kernel *k)
{
	_cleanup_(kernel_entries_done) struct kernel_entries entries = {};
	struct err err;
	int r = list_cache(p, &entries, &err);

	for (size_t i = 0; r == 0 && i < entries.list.n; i++)
		if (entries.list.v[i].state == KERNEL_ENTRY_VALID)
			if (try_image(p, entries.list.v[i].path.s, "the newest in the cache", k))
				return 1;
	return 0;
}

static int try_trees(const struct kernel_places *p, struct kernel *k)
{
	static const char *const trees[] = { "linux", "../linux" };

	for (size_t i = 0; i < ARRAY_SIZE(trees); i++) {
		_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT, rule = STRBUF_INIT;

		strbuf_addf(&path, "%s/%s", p->here, trees[i]);
		strbuf_addf(&rule, "the build tree %s%s", i == 0 ? "./" : "", trees[i]);
		if (try_image(p, path.s, rule.s, k))
			return 1;
	}
	return 0;
}

static int try_below_root(const struct kernel_places *p, const char *path, const char *rule,
			  struct kernel *k)
{
	_cleanup_(strbuf_done) struct strbuf outside = STRBUF_INIT;

	if (!root_exists(p->root, path))
		return 0;
	root_add_path(p->root, path, &outside);
	return try_image(p, outside.s, rule, k);
}

static int try_running(const struct kernel_places *p, struct kernel *k)
{
	static const struct {
		const char *format, *rule;
	} rows[] = {
		{ "lib/modules/%s/build", "the build tree of the running kernel" },
		{ "lib/modules/%s/vmlinuz", "the image among the modules of the running kernel" },
		{ "boot/vmlinuz-%s", "the running kernel in the boot folder" },
	};

	for (size_t i = 0; *p->running && i < ARRAY_SIZE(rows); i++) {
		_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;
		const char *gap = strstr(rows[i].format, "%s");

		strbuf_add(&path, rows[i].format, (size_t)(gap - rows[i].format));
		strbuf_addf(&path, "%s%s", p->running, gap + 2);
		if (try_below_root(p, path.s, rows[i].rule, k))
			return 1;
	}
	return 0;
}

static int by_version(const void *a, const void *b)
{
	return strverscmp(*(char *const *)b, *(char *const *)a);
}

static int try_boot(const struct kernel_places *p, struct kernel *k)
{
	_cleanup_(strv_done) struct strv names = STRV_INIT;

	if (root_list(p->root, "boot", &names) <= 0 || !names.n)
		return 0;
	qsort(names.v, names.n, sizeof(*names.v), by_version);
	for (size_t i = 0; i < names.n; i++) {
		_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;

		strbuf_addf(&path, "boot/%s", names.v[i]);
		if (slice_starts(slice_of(names.v[i]), "vmlinuz") &&
		    try_below_root(p, path.s, "the highest version in the boot folder", k))
			return 1;
	}
	return 0;
}

int kernel_find_in(const struct kernel_places *p, const char *want, struct kernel *ret,
		   struct err *err)
{
	int r;

	if (want)
		return use_named(p, "--kernel", want, ret, err);
	if (p->test_kernel && *p->test_kernel) {
		r = use_image(p, p->test_kernel, ret, err);
		if (r < 0)
			return err_prefix(err, r == -ENOENT ? -ESRCH : r, "KTSTR_TEST_KERNEL");
		strbuf_addstr(&ret->rule, "KTSTR_TEST_KERNEL");
		return 0;
	}
	if (p->kernel && *p->kernel)
		return use_named(p, "KTSTR_KERNEL", p->kernel, ret, err);
	if (try_cache(p, ret) || try_trees(p, ret) || try_running(p, ret) || try_boot(p, ret))
		return 0;
	return err_set(err, -ENOENT,
		       "no kernel found: not in the environment, the cache, ./linux, ../linux, "
		       "/lib/modules or /boot; " WHAT_TO_TYPE);
}

/* The one place of this room that asks the environment. */
int kernel_find(const char *want, struct kernel *ret, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf cache = STRBUF_INIT;
	_cleanup_(root_close) struct root root = ROOT_INIT;
	struct utsname name;
	struct kernel_places places = {
		.root = &root,
		.test_kernel = getenv("KTSTR_TEST_KERNEL"),
		.kernel = getenv("KTSTR_KERNEL"),
		.here = ".",
	};
	int r = root_open(&root, "/", err);

	if (r < 0)
		return r;
	uname(&name);
	places.arch = name.machine;
	places.running = name.release;
	if (kernel_cache_folder(&cache, err) == 0)
		places.cache = cache.s;
	return kernel_find_in(&places, want, ret, err);
}
