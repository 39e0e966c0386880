// SPDX-License-Identifier: GPL-2.0-only
#include "elf/needed.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "elf/search.h"
#include "util/alloc.h"
#include "util/cleanup.h"

/* Linux, fs/exec.c: a script's first line counts up to here, and an interpreter may be a script
 * again, five in all. */
#define SCRIPT_LINE 256
#define SCRIPTS_MAX 5

void elf_files_done(struct elf_files *files)
{
	for (size_t i = 0; i < files->n; i++) {
		free(files->v[i].from);
		free(files->v[i].at);
	}
	vec_done(files);
}

static void add_file(struct elf_files *files, const char *from, const char *at)
{
	vec_push(files, (struct elf_file){ .from = xstrdup(from), .at = xstrdup(at) });
}

static int open_program(const struct root *root, const char *path, struct err *err)
{
	_cleanup_close_ int fd = root_open_file(root, path + 1, O_RDONLY);
	struct stat st;

	if (fd < 0)
		return err_set(err, fd, "'%s': %s", path, strerror(-fd));
	if (fstat(fd, &st) < 0)
		return err_set(err, -errno, "'%s': %m", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, -ENOEXEC, "'%s': no regular file", path);
	return take_fd(&fd);
}

/* What the loader has already under this name. */
static bool is_loaded(const struct search *s, const char *interp, const char *name)
{
	const char *slash = strrchr(interp, '/');

	if (slash && strcmp(slash + 1, name) == 0)
		return true;
	for (size_t i = 1; i < s->libs.n; i++) {
		const struct lib *lib = &s->libs.v[i];

		if (strcmp(lib->name, name) == 0 ||
		    (lib->elf.soname && strcmp(lib->elf.soname, name) == 0))
			return true;
	}
	return false;
}

static int add_libraries(struct search *s, const char *interp, struct elf_files *ret,
			 struct err *err)
{
	/* Both arrays grow or move while this goes on. */
	for (size_t who = 0; who < s->libs.n; who++)
		for (size_t i = 0; i < s->libs.v[who].elf.needed.n; i++) {
			const char *name = s->libs.v[who].elf.needed.v[i];
			int r;

			if (is_loaded(s, interp, name))
				continue;
			r = search_library(s, who, name, err);
			if (r == -ENOENT)
				return err_set(err, r,
					       "library '%s', which '%s' needs, was not found",
					       name, s->libs.v[who].from);
			if (r < 0)
				return err_prefix(err, r, "library '%s', which '%s' needs", name,
						  s->libs.v[who].from);
			add_file(ret, s->libs.v[s->libs.n - 1].from, s->libs.v[s->libs.n - 1].at);
		}
	return 0;
}

static int check_loader(const char *from, const char *interp, struct err *err)
{
	const char *name = strrchr(interp, '/') + 1;

	if (strncmp(name, "ld-linux", 8) == 0 || strncmp(name, "ld64.so", 7) == 0 ||
	    strncmp(name, "ld.so", 5) == 0)
		return 0;
	return err_set(err, -ENOEXEC,
		       "'%s': its loader '%s' is not that of glibc, whose rules are the only ones "
		       "known here; link it statically",
		       from, interp);
}

/* Takes @elf over. */
static int add_elf(const struct root *root, const char *from, const char *at,
		   struct elf_object *elf, struct elf_files *ret, struct err *err)
{
	_cleanup_(search_done) struct search s = SEARCH_INIT;
	_cleanup_(strbuf_done) struct strbuf real = STRBUF_INIT;
	const char *interp = elf->interp;
	int r;

	s.root = root;
	vec_push(&s.libs, (struct lib){ .elf = *elf, .from = xstrdup(from), .at = xstrdup(at) });
	*elf = (struct elf_object)ELF_OBJECT_INIT;
	/* The kernel tells the loader where the program is behind all links. */
	r = search_real_path(root, from, &real);
	if (r < 0)
		return err_set(err, r, "'%s': %s", from, strerror(-r));
	s.libs.v[0].origin = search_folder(real.s);
	if (interp) {
		r = check_loader(from, interp, err);
		if (r == 0)
			add_file(ret, interp, interp);
	}
	if (r == 0 && (interp || s.libs.v[0].elf.needed.n)) {
		r = search_set_loader(&s, interp, err);
		if (r < 0)
			err_prefix(err, r, "'%s'", from);
	}
	return r < 0 ? r : add_libraries(&s, interp ? interp : "", ret, err);
}

/* The interpreter in the first line of a script; false when there is none. */
static bool script_interpreter(int fd, struct strbuf *ret)
{
	char line[SCRIPT_LINE];
	ssize_t n = pread(fd, line, sizeof(line), 0);
	struct slice rest, first, word;

	if (n < 2 || memcmp(line, "#!", 2) != 0)
		return false;
	rest = (struct slice){ line + 2, (size_t)n - 2 };
	if (!slice_cut(&rest, '\n', &first) || !slice_word(&first, &word) ||
	    memchr(word.s, '\0', word.n))
		return false;
	strbuf_reset(ret);
	strbuf_addslice(ret, word);
	return true;
}

int elf_needed(const struct root *root, const char *from, const char *at, struct elf_files *ret,
	       struct err *err)
{
	_cleanup_(elf_files_done) struct elf_files files = ELF_FILES_INIT;
	_cleanup_free_ char *program = xstrdup(from), *place = xstrdup(at);

	for (int scripts = 0; scripts <= SCRIPTS_MAX; scripts++) {
		_cleanup_(elf_object_done) struct elf_object elf = ELF_OBJECT_INIT;
		_cleanup_(strbuf_done) struct strbuf next = STRBUF_INIT;
		_cleanup_close_ int fd = open_program(root, program, err);
		int r = fd < 0 ? fd : elf_object_read(fd, &elf, err);

		if (fd >= 0 && r < 0)
			err_prefix(err, r, "'%s'", program);
		if (r > 0)
			r = add_elf(root, program, place, &elf, &files, err);
		else if (r == 0 && !script_interpreter(fd, &next))
			r = err_set(err, -ENOEXEC, "'%s': no program: neither ELF nor a script",
				    program);
		else if (r == 0 && next.s[0] != '/')
			r = err_set(err, -ENOEXEC, "'%s': its interpreter '%s' is no absolute path",
				    program, next.s);
		if (r < 0 && scripts)
			return err_prefix(err, r, "interpreter of '%s'", from);
		if (r < 0)
			return r;
		if (!next.len) {
			*ret = files;
			files = (struct elf_files)ELF_FILES_INIT;
			return 0;
		}
		add_file(&files, next.s, next.s);
		free(program);
		free(place);
		program = xstrdup(next.s);
		place = strbuf_steal(&next);
	}
	return err_set(err, -ELOOP, "'%s': its interpreters are scripts again", from);
}
