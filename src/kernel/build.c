// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/image.h"
#include "kernel/make.h"
#include "kernel/options.h"
#include "kernel/source.h"
#include "kernel/work.h"
#include "util/cleanup.h"
#include "util/folder.h"
#include "util/root.h"

static const struct {
	const char *program, *package;
} tools[] = {
#define TOOL(program, package) { program, package },
#include "kernel/tools.def"
#undef TOOL
};

static bool is_installed(const char *program)
{
	const char *path = getenv("PATH");
	struct slice rest = slice_of(path ? path : ""), dir;

	while (slice_cut(&rest, ':', &dir)) {
		_cleanup_(strbuf_done) struct strbuf file = STRBUF_INIT;

		strbuf_addslice(&file, dir);
		strbuf_addf(&file, "/%s", program);
		if (dir.n && access(file.s, X_OK) == 0)
			return true;
	}
	return false;
}

static int check_tools(struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf programs = STRBUF_INIT, packages = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(tools); i++) {
		if (is_installed(tools[i].program))
			continue;
		strbuf_addf(&programs, "%s%s", programs.len ? ", " : "", tools[i].program);
		strbuf_addf(&packages, " %s", tools[i].package);
	}
	if (!programs.len)
		return 0;
	return err_set(err, -ENOENT,
		       "to build a kernel takes programs that are missing here: %s; type 'apt-get "
		       "install%s libelf-dev libssl-dev'",
		       programs.s, packages.s);
}

/* The arguments that all calls of make share. */
struct kbuild {
	struct work *w;
	const char *tree;
	struct strbuf output, arch, jobs;
};

static void kbuild_done(struct kbuild *k)
{
	strbuf_done(&k->output);
	strbuf_done(&k->arch);
	strbuf_done(&k->jobs);
}

static int kbuild(struct kbuild *k, const char *step, const char *target, struct err *err)
{
	const char *const argv[] = { "make",
				     "-C",
				     k->tree,
				     k->output.s,
				     k->arch.s,
				     k->jobs.s,
				     "KBUILD_BUILD_USER=ktstr",
				     "KBUILD_BUILD_HOST=ktstr",
				     target,
				     NULL };

	return work_run(k->w, step, NULL, argv, err);
}

static int append_fragment(const char *config, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf lines = STRBUF_INIT;
	_cleanup_fclose_ FILE *f = fopen(config, "ae");

	kernel_fragment(&lines);
	if (!f || fwrite(lines.s, 1, lines.len, f) != lines.len || fflush(f) == EOF)
		return err_set(err, -errno, "cannot write '%s': %s", config, strerror(errno));
	return 0;
}

/* Kconfig drops without a word what it does not know or what lacks something. @note is told what we
 * can do without. */
static int check_options(struct work *w, const char *dir, void (*note)(void *ctx, const char *text),
			 struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT, required = STRBUF_INIT,
					     others = STRBUF_INIT;
	_cleanup_(kconfig_done) struct kconfig config = KCONFIG_INIT;
	_cleanup_(root_close) struct root root = ROOT_INIT;
	int r = root_open(&root, dir, err);

	if (r < 0)
		return r;
	r = root_read(&root, ".config", ROOT_CAP_FILE, &text);
	if (r <= 0)
		return err_set(err, r < 0 ? r : -ENOENT, "'%s/.config': %s", dir,
			       r < 0 ? strerror(-r) : "not there");
	kconfig_parse(&config, strbuf_slice(&text));
	for (size_t i = 0; i < kernel_options_n; i++) {
		const struct kernel_option *o = &kernel_options[i];
		struct strbuf *list = o->need == KERNEL_REQUIRED ? &required : &others;

		if (!kernel_option_met(o, &config))
			strbuf_addf(list, " %s=%s", o->name, o->value);
	}
	if (others.len && note) {
		strbuf_reset(&text);
		strbuf_addf(&text, "this source does not take:%s", others.s);
		note(w->job->ctx, text.s);
	}
	if (required.len)
		return err_set(err, -ENOTSUP, "this source does not take what is required:%s",
			       required.s);
	return 0;
}

static int configure(struct kbuild *k, const char *objects, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf config = STRBUF_INIT;
	int r = kbuild(k, "configuring", "tinyconfig", err);

	strbuf_addf(&config, "%s/.config", objects);
	if (r == 0)
		r = append_fragment(config.s, err);
	if (r == 0)
		r = kbuild(k, "configuring", "olddefconfig", err);
	return r < 0 ? r : check_options(k->w, objects, k->w->job->note, err);
}

static int compile(struct work *w, struct kernel_staging *s, const char *tree,
		   struct kernel_metadata *m, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf objects = STRBUF_INIT, image = STRBUF_INIT,
					     config = STRBUF_INIT;
	_cleanup_(kbuild_done) struct kbuild k = { w, tree, STRBUF_INIT, STRBUF_INIT, STRBUF_INIT };
	_cleanup_free_ char *absolute = NULL;
	int kind = kernel_image_of_arch(w->job->arch), r;
	const char *file;

	if (kind < 0)
		return err_set(err, -ENOTSUP, "kernels for %s cannot be built", w->job->arch);
	file = kernel_image_files[kind];
	strbuf_addf(&objects, "%s/objects", s->dir.s);
	r = folder_make(objects.s, err);
	if (r < 0)
		return r;
	absolute = realpath(objects.s, NULL); /* Kbuild's is relative to the source */
	if (!absolute)
		return err_set(err, -errno, "'%s': %s", objects.s, strerror(errno));
	strbuf_addf(&k.output, "O=%s", absolute);
	strbuf_addf(&k.arch, "ARCH=%s", kind == KERNEL_IMAGE_X86 ? "x86" : "arm64");
	strbuf_addf(&k.jobs, "-j%u", w->job->jobs);
	r = configure(&k, objects.s, err);
	if (r == 0)
		r = kbuild(&k, "compiling", strrchr(file, '/') + 1, err);
	if (r == 0)
		r = check_options(w, objects.s, NULL, err);
	if (r < 0)
		return r;
	strbuf_addf(&image, "%s/%s", objects.s, file);
	strbuf_addf(&config, "%s/.config", objects.s);
	kernel_metadata_fragment(&m->fragment);
	return work_store(w, s, image.s, config.s, m, err);
}

/* Shows the end of the log of a program that failed. */
static void show_tail(const struct work *w)
{
	_cleanup_(strbuf_done) struct strbuf tail = STRBUF_INIT, text = STRBUF_INIT;
	struct slice rest, line;

	work_log_tail(w, &tail);
	rest = strbuf_slice(&tail);
	while (w->job->note && slice_cut(&rest, '\n', &line)) {
		strbuf_reset(&text);
		strbuf_addslice(&text, line);
		w->job->note(w->job->ctx, text.s);
	}
}

/* The log of a failure outlives the folder it was written in. */
static int keep_log(const struct work *w, const struct kernel_staging *s, int r, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf kept = STRBUF_INIT;
	const struct err why = *err;

	strbuf_addf(&kept, "%s.log", s->target.s);
	if (r == -ECANCELED || rename(w->log_path.s, kept.s) < 0)
		return r;
	if (r == -ECHILD)
		show_tail(w);
	return err_set(err, r, "%.300s; the whole log is in '%s'", why.text, kept.s);
}

static int build_locked(struct work *w, struct kernel_staging *s,
			const struct kernel_source *source, struct err *err)
{
	_cleanup_(kernel_metadata_done) struct kernel_metadata m = KERNEL_METADATA_INIT;
	_cleanup_(strbuf_done) struct strbuf tree = STRBUF_INIT, log = STRBUF_INIT,
					     dir = STRBUF_INIT;
	int r;

	strbuf_addf(&log, "%s/build.log", s->dir.s);
	strbuf_addf(&dir, "%s/source", s->dir.s);
	strbuf_addslice(&m.source, strbuf_slice(&source->identity));
	r = work_log(w, log.s, err);
	if (r < 0)
		return r;
	r = folder_make(dir.s, err);
	if (r == 0)
		r = kernel_source_unpack(w, source, dir.s, &tree, err);
	if (r == 0)
		r = compile(w, s, tree.s, &m, err);
	work_step(w, "removing source and objects");
	return r < 0 ? keep_log(w, s, r, err) : 0;
}

static bool is_there(const struct kernel_job *job, const char *key, struct kernel_entry *ret)
{
	if (!kernel_cache_get(job->cache, job->arch, key, ret))
		return false;
	if (ret->state == KERNEL_ENTRY_VALID)
		return true;
	kernel_entry_done(ret);
	return false;
}

static int build(struct work *w, const char *name, struct kernel_entry *ret, struct err *err)
{
	_cleanup_(kernel_staging_done) struct kernel_staging s = KERNEL_STAGING_INIT;
	_cleanup_(kernel_source_done) struct kernel_source source = KERNEL_SOURCE_INIT;
	_cleanup_(strbuf_done) struct strbuf key = STRBUF_INIT;
	int r = kernel_source_open(w, name, &source, err);

	if (r < 0)
		return r;
	kernel_source_key(&source, w->job->arch, &key);
	if (is_there(w->job, key.s, ret))
		return 0;
	r = check_tools(err);
	if (r == 0)
		r = work_stage(w, &s, key.s, err);
	if (r < 0)
		return r;
	/* Somebody else may have been faster. */
	if (is_there(w->job, key.s, ret))
		return 0;
	r = build_locked(w, &s, &source, err);
	if (r < 0)
		return r;
	if (!is_there(w->job, key.s, ret))
		return err_set(err, -EIO, "'%s' is gone again", s.target.s);
	return 0;
}

int kernel_build(const struct kernel_job *job, const char *source, struct kernel_entry *ret,
		 struct err *err)
{
	_cleanup_(work_done) struct work w = WORK_INIT(job);
	int r = folder_make(job->cache, err);

	if (r < 0)
		return r;
	kernel_staging_sweep(job->cache);
	work_begin(&w);
	return build(&w, source ? source : KERNEL_BUILD_SOURCE, ret, err);
}
