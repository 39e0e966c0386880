// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel/staging.h"
#include "util/cleanup.h"
#include "util/folder.h"
#include "util/root.h"

#define FOLDER "kernels"

const char *const kernel_entry_state_names[KERNEL_ENTRY_STATES] = {
#define ENTRY_STATE(id, name) name,
#include "kernel/states.def"
#undef ENTRY_STATE
};

void kernel_entry_done(struct kernel_entry *e)
{
	strbuf_done(&e->key);
	strbuf_done(&e->path);
	kernel_metadata_done(&e->metadata);
}

void kernel_entries_done(struct kernel_entries *entries)
{
	for (size_t i = 0; i < entries->list.n; i++)
		kernel_entry_done(&entries->list.v[i]);
	vec_done(&entries->list);
}

int kernel_cache_folder(struct strbuf *out, struct err *err)
{
	int r = folder_cache(out, err);

	if (r == 0)
		strbuf_addstr(out, "/" FOLDER);
	return r;
}

static enum kernel_entry_state judge(const struct kernel_entry *e, const struct root *root,
				     const char *arch)
{
	_cleanup_(strbuf_done) struct strbuf today = STRBUF_INIT;
	struct stat st;

	if (root_stat(root, KERNEL_CACHE_IMAGE, &st) <= 0 || !S_ISREG(st.st_mode) || !st.st_size)
		return KERNEL_ENTRY_BROKEN;
	if (strcmp(e->metadata.arch.s, arch) != 0)
		return KERNEL_ENTRY_FOREIGN;
	kernel_metadata_fragment(&today);
	if (e->metadata.fragment.len &&
	    !slice_eq(strbuf_slice(&e->metadata.fragment), strbuf_slice(&today)))
		return KERNEL_ENTRY_STALE;
	return KERNEL_ENTRY_VALID;
}

bool kernel_cache_get(const char *cache, const char *arch, const char *key,
		      struct kernel_entry *ret)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	_cleanup_(root_close) struct root root = ROOT_INIT;
	struct err err;

	*ret = (struct kernel_entry){
		.key = STRBUF_INIT,
		.path = STRBUF_INIT,
		.metadata = KERNEL_METADATA_INIT,
		.state = KERNEL_ENTRY_BROKEN,
	};
	/* A key is a name of its own, never a way to somewhere else. */
	if (!*key || *key == '.' || strchr(key, '/'))
		return false;
	strbuf_addstr(&ret->key, key);
	strbuf_addf(&ret->path, "%s/%s", cache, key);
	if (root_open(&root, ret->path.s, &err) < 0) {
		kernel_entry_done(ret);
		return false;
	}
	(void)!folder_bytes(ret->path.s, &ret->bytes);
	if (root_read(&root, KERNEL_CACHE_METADATA, ROOT_CAP_VALUE, &text) > 0 &&
	    kernel_metadata_read(strbuf_slice(&text), &ret->metadata, &err) == 0)
		ret->state = judge(ret, &root, arch);
	return true;
}

/* Newest first; of one moment the highest release; then by key, so that the order is always the
 * same. */
static int by_age(const void *a, const void *b)
{
	const struct kernel_entry *x = a, *y = b;
	int r = (x->metadata.made < y->metadata.made) - (x->metadata.made > y->metadata.made);

	if (!r)
		r = strverscmp(y->metadata.release.s, x->metadata.release.s);
	return r ? r : strcmp(x->key.s, y->key.s);
}

int kernel_cache_list(const char *cache, const char *arch, struct kernel_entries *ret,
		      struct err *err)
{
	_cleanup_(strv_done) struct strv names = STRV_INIT;
	_cleanup_(root_close) struct root root = ROOT_INIT;
	int r = -ENOENT;

	*ret = (struct kernel_entries){};
	if (access(cache, F_OK) == 0)
		r = root_open(&root, cache, err);
	else if (errno != ENOENT)
		return err_set(err, -errno, "'%s': %s", cache, strerror(errno));
	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return r;
	r = root_list(&root, ".", &names);
	if (r < 0)
		return err_set(err, r, "'%s': %s", cache, strerror(-r));
	for (size_t i = 0; i < names.n; i++) {
		struct kernel_entry e;

		if (kernel_cache_get(cache, arch, names.v[i], &e))
			vec_push(&ret->list, e);
	}
	if (ret->list.n)
		qsort(ret->list.v, ret->list.n, sizeof(*ret->list.v), by_age);
	return 0;
}

bool kernel_release_is(const char *release, const char *version)
{
	size_t n = strlen(version);

	return n && strncmp(release, version, n) == 0 &&
	       !(release[n] >= '0' && release[n] <= '9' && version[n - 1] >= '0' &&
		 version[n - 1] <= '9');
}

/* What is left of a build that failed. */
static void remove_logs(const char *cache)
{
	_cleanup_closedir_ DIR *d = opendir(cache);
	const struct dirent *e;

	while (d && (e = readdir(d))) {
		const char *dot = strrchr(e->d_name, '.');

		if (dot && strcmp(dot, ".log") == 0)
			(void)unlinkat(dirfd(d), e->d_name, 0);
	}
}

/* Its lock keeps away who makes that very entry. 1 removed, 0 left alone. */
static int remove_entry(const char *cache, const struct kernel_entry *e, struct err *err)
{
	_cleanup_(kernel_staging_done) struct kernel_staging s = KERNEL_STAGING_INIT;
	int r = kernel_staging_lock(&s, cache, e->key.s, err);

	if (r == -EAGAIN)
		return 0;
	if (r < 0)
		return r;
	/* Under another name first, so that nobody boots what is half removed. */
	r = folder_remove(s.dir.s);
	if (r == 0 && rename(e->path.s, s.dir.s) < 0)
		r = -errno;
	if (r == 0)
		r = folder_remove(s.dir.s);
	return r < 0 ? err_set(err, r, "cannot remove '%s': %s", e->path.s, strerror(-r)) : 1;
}

int kernel_cache_clean(const char *cache, size_t keep, struct kernel_entries *entries,
		       struct kernel_entries *ret_removed, struct err *err)
{
	struct kernel_entries kept = {};
	int r = 0;

	*ret_removed = (struct kernel_entries){};
	kernel_staging_sweep(cache);
	remove_logs(cache);
	for (size_t i = 0; i < entries->list.n; i++) {
		struct kernel_entry *e = &entries->list.v[i];
		bool stays = e->state == KERNEL_ENTRY_VALID && keep > 0;

		keep -= stays;
		if (!stays && r >= 0)
			r = remove_entry(cache, e, err);
		if (stays || r <= 0)
			vec_push(&kept.list, *e);
		else
			vec_push(&ret_removed->list, *e);
	}
	vec_done(&entries->list);
	*entries = kept;
	return r < 0 ? r : 0;
}
