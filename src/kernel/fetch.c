// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "kernel/debian.h"
#include "kernel/make.h"
#include "kernel/work.h"
#include "util/cleanup.h"
#include "util/folder.h"
#include "util/root.h"

#define PREFIX  "linux-image-"
#define VMLINUZ "vmlinuz-"

/* The image that the package brings, and the configuration beside it. */
static int find_files(const char *dir, struct strbuf *image, struct strbuf *config,
		      struct strbuf *release, struct err *err)
{
	_cleanup_(root_close) struct root root = ROOT_INIT;
	_cleanup_(strv_done) struct strv names = STRV_INIT;
	int r = root_open(&root, dir, err);

	if (r < 0)
		return r;
	r = root_list(&root, "boot", &names);
	for (size_t i = 0; r > 0 && i < names.n; i++) {
		if (!slice_starts(slice_of(names.v[i]), VMLINUZ))
			continue;
		strbuf_addstr(release, names.v[i] + strlen(VMLINUZ));
		strbuf_addf(image, "%s/boot/%s", dir, names.v[i]);
		strbuf_addf(config, "%s/boot/config-%s", dir, release->s);
		return 0;
	}
	return err_set(err, -ENOENT, "the package has no kernel in /boot");
}

/* Those that there are: what is built in has no file. */
static int keep_modules(const char *dir, const struct strbuf *release, const char *entry,
			struct err *err)
{
	static const char *const rows[][2] = {
#define MODULE(path, name) { path, name },
#include "kernel/modules.def"
#undef MODULE
	};
	_cleanup_(strbuf_done) struct strbuf folder = STRBUF_INIT;

	strbuf_addf(&folder, "%s/" KERNEL_CACHE_MODULES, entry);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(strbuf_done) struct strbuf file = STRBUF_INIT;
		int r;

		strbuf_addf(&file, "%s/lib/modules/%s/kernel/%s", dir, release->s, rows[i][0]);
		if (access(file.s, F_OK) < 0)
			continue;
		r = folder_make(folder.s, err);
		if (r == 0)
			r = work_copy(file.s, folder.s, rows[i][1], err);
		if (r < 0)
			return r;
	}
	return 0;
}

static int fetch_locked(struct work *w, struct kernel_staging *s, const char *package,
			struct kernel_metadata *m, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf dir = STRBUF_INIT, image = STRBUF_INIT,
					     config = STRBUF_INIT;
	int r;

	strbuf_addf(&dir, "%s/package", s->dir.s);
	r = folder_make(dir.s, err);
	if (r == 0)
		r = debian_unpack(w, package, dir.s, err);
	if (r == 0)
		r = find_files(dir.s, &image, &config, &m->release, err);
	if (r == 0)
		r = keep_modules(dir.s, &m->release, s->entry.s, err);
	return r < 0 ? r : work_store(w, s, image.s, config.s, m, err);
}

/* Whether the entry is this very package. */
static bool is_there(const struct kernel_job *job, const char *key, const char *source,
		     struct kernel_entry *ret)
{
	if (!kernel_cache_get(job->cache, job->arch, key, ret))
		return false;
	if (ret->state == KERNEL_ENTRY_VALID && strcmp(ret->metadata.source.s, source) == 0)
		return true;
	kernel_entry_done(ret);
	return false;
}

static int fetch(struct work *w, const char *want, struct kernel_entry *ret, struct err *err)
{
	_cleanup_(kernel_staging_done) struct kernel_staging s = KERNEL_STAGING_INIT;
	_cleanup_(kernel_metadata_done) struct kernel_metadata m = KERNEL_METADATA_INIT;
	_cleanup_(strbuf_done) struct strbuf package = STRBUF_INIT, version = STRBUF_INIT;
	const char *key;
	int r = debian_find_image(w, want, &package, err);

	if (r == 0)
		r = debian_version(w, package.s, &version, err);
	if (r < 0)
		return r;
	key = package.s + strlen(PREFIX);
	strbuf_addf(&m.source, "%s %s", package.s, version.s);
	if (is_there(w->job, key, m.source.s, ret))
		return 0;
	r = work_stage(w, &s, key, err);
	if (r < 0)
		return r;
	/* Somebody else may have been faster. */
	if (is_there(w->job, key, m.source.s, ret))
		return 0;
	r = fetch_locked(w, &s, package.s, &m, err);
	if (r < 0)
		return r;
	if (!is_there(w->job, key, m.source.s, ret))
		return err_set(err, -EIO, "'%s' is gone again", s.target.s);
	return 0;
}

int kernel_fetch(const struct kernel_job *job, const char *want, struct kernel_entry *ret,
		 struct err *err)
{
	_cleanup_(work_done) struct work w = WORK_INIT(job);
	int r = folder_make(job->cache, err);

	if (r < 0)
		return r;
	kernel_staging_sweep(job->cache);
	work_begin(&w);
	return fetch(&w, want ? want : KERNEL_FETCH_VERSION, ret, err);
}
