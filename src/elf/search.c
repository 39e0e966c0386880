// SPDX-License-Identifier: GPL-2.0-only
#include "elf/search.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/ldcache.h"
#include "util/alloc.h"
#include "util/cleanup.h"

#define CACHE_FILE "etc/ld.so.cache"
/* Hostile search paths must not keep us for ever. */
#define TRIES_MAX 100000u
#define LIBS_MAX  2048u

void search_done(struct search *s)
{
	for (size_t i = 0; i < s->libs.n; i++) {
		struct lib *lib = &s->libs.v[i];

		elf_object_done(&lib->elf);
		free(lib->name);
		free(lib->from);
		free(lib->at);
		free(lib->origin);
	}
	vec_done(&s->libs);
	strbuf_done(&s->cache);
	free(s->folder);
}

char *search_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash > path ? xstrndup(path, (size_t)(slash - path)) : xstrdup("/");
}

static int link_of_fd(int fd, char ret[PATH_MAX])
{
	char self[64];
	ssize_t n;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	n = readlink(self, ret, PATH_MAX - 1);
	if (n < 0)
		return -errno;
	ret[n] = '\0';
	return 0;
}

int search_real_path(const struct root *root, const char *path, struct strbuf *ret)
{
	_cleanup_close_ int fd = root_open_file(root, path + 1, O_PATH);
	char file[PATH_MAX], top[PATH_MAX];
	size_t n;
	int r;

	if (fd < 0)
		return fd;
	r = link_of_fd(fd, file);
	if (r == 0)
		r = link_of_fd(root->fd, top);
	if (r < 0)
		return r;
	n = strcmp(top, "/") == 0 ? 0 : strlen(top);
	if (strncmp(file, top, n) != 0 || file[n] != '/')
		return -EXDEV;
	strbuf_reset(ret);
	strbuf_addstr(ret, file + n);
	return 0;
}

int search_set_loader(struct search *s, const char *interp, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf real = STRBUF_INIT;
	int r = search_real_path(s->root, interp ? interp : "/usr/lib/.", &real);

	if (r < 0 && interp)
		return err_set(err, r, "its loader '%s': %s", interp, strerror(-r));
	s->folder = r < 0    ? xstrdup("/usr/lib")
		    : interp ? search_folder(real.s)
			     : strbuf_steal(&real);
	/* Without a cache, or with a broken one, the loader goes on as well. */
	(void)!root_read(s->root, CACHE_FILE, ROOT_CAP_FILE, &s->cache);
	return 0;
}

/* 1 and the file is one of ours; 0: the search goes on, as it is not there, nothing that can be
 * read or of another machine. */
static int try_file(struct search *s, size_t who, const char *name, const char *from,
		    const char *at, struct err *err)
{
	struct elf_object elf = ELF_OBJECT_INIT;
	_cleanup_close_ int fd = -1;
	struct stat st;
	int r;

	if (s->tries++ > TRIES_MAX)
		return err_set(err, -E2BIG, "too many folders to search");
	fd = root_open_file(s->root, from + 1, O_RDONLY);
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return 0;
	r = elf_object_read(fd, &elf, err);
	if (r == -ENOEXEC)
		return 0;
	if (r <= 0)
		return r < 0 ? err_prefix(err, r, "'%s'", from)
			     : err_set(err, -EBADMSG, "'%s': no ELF file", from);
	if (s->libs.n == LIBS_MAX) {
		elf_object_done(&elf);
		return err_set(err, -E2BIG, "more than %u libraries", LIBS_MAX);
	}
	vec_push(&s->libs, (struct lib){ .elf = elf,
					 .name = xstrdup(name),
					 .from = xstrdup(from),
					 .at = xstrdup(at),
					 .origin = search_folder(from),
					 .parent = who });
	return 1;
}

/* @value in the place of "$TOKEN" or "${TOKEN}" at the start of @s: how long that was, or 0. */
static size_t token(const char *s, size_t n, const char *name, const char *value,
		    struct strbuf *out)
{
	size_t len = strlen(name);
	bool braces = n > 1 && s[1] == '{';
	size_t begin = braces ? 2 : 1, end = begin + len;

	if (end + braces > n || memcmp(s + begin, name, len) != 0)
		return 0;
	if (braces ? s[end] != '}'
		   : end < n && (s[end] == '_' || (s[end] >= '0' && s[end] <= '9') ||
				 ((s[end] | 0x20) >= 'a' && (s[end] | 0x20) <= 'z')))
		return 0;
	strbuf_addstr(out, value);
	return end + braces;
}

/* "$LIB" is the loader's folder as seen from "/" or "/usr". */
static const char *lib_word(const struct search *s)
{
	return s->folder + (strncmp(s->folder, "/usr/", 5) == 0 ? 5 : 1);
}

static void expand(const struct search *s, struct slice text, const char *origin,
		   struct strbuf *out)
{
	const char *platform = (const char *)getauxval(AT_PLATFORM);

	for (size_t i = 0; i < text.n;) {
		size_t used = 0;

		if (text.s[i] == '$') {
			used = token(text.s + i, text.n - i, "ORIGIN", origin, out);
			if (!used)
				used = token(text.s + i, text.n - i, "LIB", lib_word(s), out);
			if (!used)
				used = token(text.s + i, text.n - i, "PLATFORM",
					     platform ? platform : "", out);
		}
		if (!used) {
			strbuf_addch(out, text.s[i]);
			used = 1;
		}
		i += used;
	}
}

/* @text and, where it is a folder, "/NAME" behind it, as lib @whose means it. What is not absolute
 * depends on the current folder, which will be another. */
static int try_expanded(struct search *s, size_t whose, struct slice text, size_t who,
			const char *name, bool folder, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf from = STRBUF_INIT, at = STRBUF_INIT;
	_cleanup_free_ char *new_origin = search_folder(s->libs.v[whose].at);

	expand(s, text, s->libs.v[whose].origin, &from);
	expand(s, text, new_origin, &at);
	if (from.s[0] != '/' || at.s[0] != '/')
		return 0;
	if (folder) {
		strbuf_addf(&from, "/%s", name);
		strbuf_addf(&at, "/%s", name);
	}
	if (from.len >= PATH_MAX || at.len >= PATH_MAX)
		return 0;
	return try_file(s, who, name, from.s, at.s, err);
}

static int try_path(struct search *s, size_t whose, const char *path, size_t who, const char *name,
		    struct err *err)
{
	struct slice rest = slice_of(path), folder;
	int r = 0;

	while (r == 0 && slice_cut(&rest, ':', &folder))
		r = try_expanded(s, whose, folder, who, name, true, err);
	return r;
}

/* The old kind is inherited from whoever asked first, up to the program. The strings stay where
 * they are while libraries are appended. */
static int try_rpaths(struct search *s, size_t who, const char *name, struct err *err)
{
	int r = 0;

	for (size_t i = who; r == 0; i = s->libs.v[i].parent) {
		if (s->libs.v[i].elf.rpath)
			r = try_path(s, i, s->libs.v[i].elf.rpath, who, name, err);
		if (i == 0)
			break;
	}
	return r;
}

static int try_usual(struct search *s, size_t who, const char *name, struct err *err)
{
	static const char *const folders[] = { "/lib", "/usr/lib", "/lib64", "/usr/lib64" };
	_cleanup_(strbuf_done) struct strbuf at = STRBUF_INIT, from = STRBUF_INIT;
	const char *cached;
	size_t next = 0;
	int r = 0;

	strbuf_addf(&at, "%s/%s", s->folder, name);
	while (r == 0 && ldcache_next(strbuf_slice(&s->cache), name, &next, &cached))
		if (cached[0] == '/')
			r = try_file(s, who, name, cached, at.s, err);
	if (r == 0)
		r = try_file(s, who, name, at.s, at.s, err);
	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(folders); i++) {
		strbuf_reset(&from);
		strbuf_addf(&from, "%s/%s", folders[i], name);
		r = try_file(s, who, name, from.s, at.s, err);
	}
	return r;
}

int search_library(struct search *s, size_t who, const char *name, struct err *err)
{
	const struct elf_object *elf = &s->libs.v[who].elf;
	const char *runpath = elf->runpath;
	bool usual = !elf->nodeflib;
	int r = 0;

	if (strchr(name, '/'))
		r = try_expanded(s, who, slice_of(name), who, name, false, err);
	else if (runpath)
		r = try_path(s, who, runpath, who, name, err);
	else
		r = try_rpaths(s, who, name, err);
	if (r == 0 && usual && !strchr(name, '/'))
		r = try_usual(s, who, name, err);
	return r == 0 ? -ENOENT : r < 0 ? r : 0;
}
