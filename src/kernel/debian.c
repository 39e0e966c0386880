// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/debian.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "kernel/cache.h"
#include "util/cleanup.h"
#include "util/folder.h"
#include "util/root.h"
#include "util/strv.h"

#define PREFIX "linux-image-"

const char *debian_arch(const char *arch)
{
	if (strcmp(arch, "x86_64") == 0)
		return "amd64";
	return strcmp(arch, "aarch64") == 0 ? "arm64" : NULL;
}

/* Images have three numbers in their names, packages that only point to them fewer. */
static bool is_image(const char *release, const char *version, const char *suffix)
{
	size_t n = strlen(release), dots = 0, at = strspn(release, "0123456789.");

	for (size_t i = 0; i < at; i++)
		dots += release[i] == '.';
	return dots >= 2 && n > strlen(suffix) &&
	       strcmp(release + n - strlen(suffix), suffix) == 0 &&
	       kernel_release_is(release, version);
}

bool debian_pick_image(struct slice names, const char *version, const char *arch,
		       struct strbuf *ret)
{
	_cleanup_(strbuf_done) struct strbuf suffix = STRBUF_INIT, name = STRBUF_INIT;
	struct slice line;

	strbuf_addf(&suffix, "-cloud-%s", arch);
	strbuf_reset(ret);
	while (slice_cut(&names, '\n', &line)) {
		line = slice_trim(line);
		if (!slice_starts(line, PREFIX))
			continue;
		strbuf_reset(&name);
		strbuf_addslice(&name, line);
		if (is_image(name.s + strlen(PREFIX), version, suffix.s) &&
		    strverscmp(name.s, ret->s) > 0) {
			strbuf_reset(ret);
			strbuf_addslice(ret, line);
		}
	}
	return ret->len > 0;
}

int debian_find_image(struct work *w, const char *want, struct strbuf *ret, struct err *err)
{
	static const char *const argv[] = { "apt-cache", "pkgnames", PREFIX, NULL };
	_cleanup_(strbuf_done) struct strbuf names = STRBUF_INIT;
	const char *arch = debian_arch(w->job->arch);
	int r;

	if (!arch)
		return err_set(err, -ENOTSUP, "Debian has no kernels for %s", w->job->arch);
	if (slice_starts(slice_of(want), PREFIX)) {
		strbuf_addstr(ret, want);
		return 0;
	}
	r = work_ask(w, "asking apt for kernels", argv, &names, err);
	if (r < 0)
		return r;
	if (!debian_pick_image(strbuf_slice(&names), want, arch, ret))
		return err_set(err, -ENOENT,
			       "apt knows no package " PREFIX
			       "%s...-cloud-%s; 'apt-get update' may "
			       "help",
			       want, arch);
	return 0;
}

int debian_version(struct work *w, const char *package, struct strbuf *ret, struct err *err)
{
	const char *const argv[] = { "apt-cache", "show", "--no-all-versions", package, NULL };
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct slice rest, line, key, value;
	int r;

	/* What is no name of a package could be an option. */
	if (package[strspn(package, "abcdefghijklmnopqrstuvwxyz0123456789+-.")] || *package == '-')
		return err_set(err, -EINVAL, "'%s' is no name of a package", package);
	r = work_ask(w, "asking apt for the version", argv, &text, err);
	if (r < 0 && r != -ECHILD)
		return r;
	rest = strbuf_slice(&text);
	while (r == 0 && slice_line(&rest, &line))
		if (slice_split(line, ':', &key, &value) && slice_is(key, "Version") && value.n) {
			strbuf_addslice(ret, value);
			return 0;
		}
	return err_set(err, -ENOENT, "apt knows no package %s; 'apt-get update' may help", package);
}

/* The only file in the folder. */
static int find_package(const char *dir, struct strbuf *ret, struct err *err)
{
	_cleanup_(strv_done) struct strv names = STRV_INIT;
	_cleanup_(root_close) struct root root = ROOT_INIT;
	int r = root_open(&root, dir, err);

	if (r < 0)
		return r;
	r = root_list(&root, ".", &names);
	for (size_t i = 0; r > 0 && i < names.n; i++) {
		const char *dot = strrchr(names.v[i], '.');

		if (!dot || strcmp(dot, ".deb") != 0)
			continue;
		strbuf_addf(ret, "%s/%s", dir, names.v[i]);
		return 0;
	}
	return err_set(err, -ENOENT, "apt-get left no package in '%s'", dir);
}

int debian_unpack(struct work *w, const char *package, const char *dir, struct err *err)
{
	/* Root's folder is not one that apt's own user may write to; it would warn of that. */
	const char *const download[] = { "apt-get",  "-q",    "-o", "APT::Sandbox::User=root",
					 "download", package, NULL };
	_cleanup_(strbuf_done) struct strbuf below = STRBUF_INIT, file = STRBUF_INIT;
	const char *unpack[] = { "dpkg-deb", "-x", NULL, dir, NULL };
	int r;

	strbuf_addf(&below, "%s/.package", dir);
	r = folder_make(below.s, err);
	if (r == 0)
		r = work_run(w, "downloading the package", below.s, download, err);
	if (r == 0)
		r = find_package(below.s, &file, err);
	if (r < 0)
		return r;
	unpack[2] = file.s;
	r = work_run(w, "unpacking the package", NULL, unpack, err);
	folder_remove(below.s);
	return r;
}
